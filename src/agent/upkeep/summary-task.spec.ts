import type { ToldMessage } from '../unanswered.js';
import { nextBatch, summaryTask } from './summary-task.js';

function message(text: string, role: ToldMessage['role'] = 'USER'): ToldMessage {
  return {
    role,
    text,
  };
}

const task = summaryTask('en', null, [message('How much?')]);

describe('the task to sum up', () => {
  it('shows what is new, and the summary so far where there is one', () => {
    const messages = [message('How much?\nAnd when?'), message('42 t.', 'ASSISTANT')];
    const said = '# New messages\nMember:\n> How much?\n> And when?\n\nAssistant:\n> 42 t.';
    expect(summaryTask('en', null, messages).messages[1]?.content).toBe(said);
    expect(summaryTask('en', '- 40 t in 2024.', messages).messages[1]?.content).toBe(
      `# Summary so far\n- 40 t in 2024.\n\n${said}`,
    );
  });

  it('takes the points of the call, one a line', () => {
    expect(task.read({ points: ['42 t in 2025.', ' It was\nasked twice. ', ''] })).toBe(
      '- 42 t in 2025.\n- It was asked twice.',
    );
  });

  it('takes a list that was said instead, without what leads up to it', () => {
    const text =
      'Here is the summary:\n\n# Summary\n- One.\n* Two.\n3. Three.\n4) Four.\n•Five.\n6、六。\n-\n';
    expect(task.readText(text)).toBe('- One.\n- Two.\n- Three.\n- Four.\n- Five.\n- 六。');
  });

  it.each(['3.5 t of CO₂ in 2025.', '-5 °C in the store.', '**Energy** was asked for.', '2025 is open.'])(
    'leaves a point as it is that only looks like one with a bullet: %s',
    (point) => {
      expect(task.read({ points: [point] })).toBe(`- ${point}`);
      expect(task.readText(`- ${point}`)).toBe(`- ${point}`);
    },
  );

  it('keeps ten points of five hundred characters at most', () => {
    const kept = task.read({ points: Array.from({ length: 12 }, () => 'a'.repeat(600)) });
    const lines = kept?.split('\n') ?? [];
    expect(lines).toHaveLength(10);
    expect(new Set(lines)).toEqual(new Set([`- ${'a'.repeat(499)}…`]));
  });

  it.each([
    null,
    {},
    { points: 'One.' },
    { points: [1] },
    { points: [] },
    { points: [' ', '# Points', 'So:'] },
  ])('cannot use %j', (input) => expect(task.read(input)).toBeNull());

  it('makes nothing of no words', () => expect(task.readText('\n')).toBeNull());
});

describe('a batch of summing up', () => {
  const long = (characters: number): ToldMessage => message('a'.repeat(characters));

  it('takes all where that is little', () => {
    const messages = [long(100), long(100)];
    expect(nextBatch(messages)).toEqual(messages);
    expect(nextBatch([])).toEqual([]);
  });

  it('takes as many as fit, each counted as far as it is shown', () => {
    expect(nextBatch(Array.from({ length: 9 }, () => long(5_000)))).toHaveLength(6);
    expect(nextBatch(Array.from({ length: 9 }, () => long(100_000)))).toHaveLength(5);
  });

  it('takes at least one', () => {
    expect(nextBatch([long(1_000_000)])).toHaveLength(1);
  });
});
