import { ProgressLines } from './skill-execution.js';

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const told: string[] = [];
  for await (const line of lines) told.push(line);
  return told;
}

describe('what calls tell meanwhile', () => {
  it('is told until the end, all of it that came before, and also while somebody has a line in hand', async () => {
    const progress = new ProgressLines();
    const call = progress.ofCall();
    const end = Promise.withResolvers<void>();
    call.tell('one');
    const told: string[] = [];
    for await (const line of progress.until(end.promise)) {
      told.push(line);
      if (line === 'one') call.tell('two');
      if (line === 'two') setImmediate(() => call.tell('three'));
      if (line === 'three') {
        call.tell('four');
        end.resolve();
      }
    }
    expect(told).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is one line each, with nothing hidden and not too long', async () => {
    const progress = new ProgressLines();
    const { tell } = progress.ofCall();
    tell('Page 1\nof\u202E 3');
    tell('x'.repeat(500));
    tell(' \n');
    const told = await collect(progress.until(Promise.resolve()));
    expect(told[0]).toBe('Page 1 of 3');
    expect(told[1]).toHaveLength(200);
    expect(told).toHaveLength(2);
  });

  it('is not the same twice in a row, nor more than twenty lines of a call, nor anything after its end', async () => {
    const progress = new ProgressLines();
    const [many, few] = [progress.ofCall(), progress.ofCall()];
    for (let line = 0; line < 50; line += 1) {
      many.tell(`line ${line}`);
      many.tell(`line ${line}`);
    }
    few.tell('a');
    few.end();
    few.tell('b');
    const told = await collect(progress.until(Promise.resolve()));
    expect(told).toEqual([...Array.from({ length: 20 }, (_, line) => `line ${line}`), 'a']);
  });

  it('is over at once where nothing is told', async () => {
    expect(await collect(new ProgressLines().until(Promise.resolve()))).toEqual([]);
  });
});
