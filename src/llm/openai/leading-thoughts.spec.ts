import fc from 'fast-check';
import { LeadingThoughts } from './leading-thoughts.js';

/** What is made of a text that comes in these pieces, and how much of the text had been given before its end. */
const read = (pieces: readonly string[]) => {
  const said = { thought: '', text: '' };
  const thoughts = new LeadingThoughts(
    (words) => void (said.thought += words),
    (words) => void (said.text += words),
  );
  for (const piece of pieces) {
    if (thoughts.isOver) said.text += piece;
    else thoughts.push(piece);
  }
  const given = { ...said };
  thoughts.end();
  return { ...said, given };
};

const inPieces = (text: string, cuts: readonly number[]): string[] => {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
};

/** Texts made of what tags are made of. */
const tagged = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<think>',
        '</think>',
        '<thinking>',
        '</thinking>',
        '<thin',
        '</th',
        '<',
        '\n',
        ' ',
        'k>',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

describe('the thoughts at the beginning of a text', () => {
  it.each([
    ['<think>Hm.</think>\n\nBonjour.', 'Hm.', 'Bonjour.'],
    ['\n <think>\nHm.\n</think>Bonjour.\n', '\nHm.\n', 'Bonjour.\n'],
    ['<thinking>Hm, </think> no.</thinking> Yes.', 'Hm, </think> no.', 'Yes.'],
    ['<think></think>\n\nYes.', '', 'Yes.'],
    ['<think>Hm.</think>\n\n<think>Again.</think>', 'Hm.', '<think>Again.</think>'],
    ['<think>Hm', 'Hm', ''],
    ['<think>Hm.</thi', 'Hm.</thi', ''],
    ['<think>Hm.</think>\n', 'Hm.', ''],
  ])('of %j are %j, and the rest %j', (whole, thought, text) => {
    expect(read([whole])).toMatchObject({ thought, text });
    expect(read([...whole])).toMatchObject({ thought, text });
  });

  it.each([
    'Bonjour.',
    '\n\n  Bonjour.',
    'The tag <think> begins </think> thoughts.',
    '<thin air>',
    '<thi',
    '<thinker>Hm.</thinker>',
    '< think>Hm.</think>',
    '</think>Hm.',
    ' \n',
    '',
  ])('are not there in %j, which stays as it is', (whole) => {
    expect(read([whole])).toMatchObject({ thought: '', text: whole });
    expect(read([...whole])).toMatchObject({ thought: '', text: whole });
  });

  it('are the same however the text is cut', () => {
    fc.assert(
      fc.property(tagged, fc.array(fc.nat(), { maxLength: 8 }), (whole, cuts) => {
        const { thought, text } = read([whole]);
        expect(read(inPieces(whole, cuts))).toMatchObject({ thought, text });
      }),
    );
  });

  it('hold up nothing that comes after them, nor a text without them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (thought, rest) => {
        const text = `.${rest}`;
        const whole = `<think>${thought.replaceAll('<', '')}</think>\n${text}`;
        expect(read([...whole]).given.text).toBe(text);
        expect(read([...text]).given.text).toBe(text);
      }),
    );
  });
});
