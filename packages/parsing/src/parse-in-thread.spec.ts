import * as fc from 'fast-check';

import { parseInThread, Unparsable } from './parse-in-thread.js';

it('gives what the parser of JSON gives, in however many pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 5 }),
      fc.constantFrom(1, 10, 1_000),
      async (text, pieceCharacters) => {
        expect(await parseInThread({ text, format: 'yaml' }, { pieceCharacters })).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: 10 },
  );
});

it('keeps the order of lists and the keys of objects, large ones among small ones', async () => {
  const value = {
    first: 1,
    list: ['a', { deep: ['x'.repeat(50), [], {}] }, 'b', ['y'.repeat(50)], null],
    last: { __proto: true },
  };
  const text = JSON.stringify(value);
  for (const pieceCharacters of [1, 20, 60]) {
    const read = await parseInThread({ text, format: 'json' }, { pieceCharacters });
    expect(JSON.stringify(read)).toBe(text);
  }
});

it('reads bytes in UTF-8', async () => {
  const text = new TextEncoder().encode('{"à":"每"}');
  expect(await parseInThread({ text, format: 'json' })).toEqual({ à: '每' });
});

it.each([
  ['{"a":', 'json', /./],
  ['a: [', 'yaml', /./],
  ['{"a":{"__proto__":{}}}', 'json', '`__proto__`'],
  ['{"constructor":{"prototype":{}}}', 'json', '`prototype`'],
  ['a: &a [*a]', 'yaml', 'contains itself'],
] as const)('says what is wrong with %s', async (text, format, words) => {
  const parsing = parseInThread({ text, format });
  await expect(parsing).rejects.toThrow(Unparsable);
  await expect(parsing).rejects.toThrow(words);
});

it('ends with what takes too long', async () => {
  const text = '- "'.repeat(500_000);
  await expect(parseInThread({ text, format: 'yaml' }, { limitMs: 200 })).rejects.toThrow('takes too long');
});

it('leaves the steps on its own thread to whoever measures them', async () => {
  let steps = 0;
  const onThread = <Result>(work: () => Result): Result => {
    steps += 1;
    return work();
  };
  await parseInThread({ text: '[1, 2, 3]', format: 'json' }, { pieceCharacters: 1, onThread });
  expect(steps).toBe(3);
});
