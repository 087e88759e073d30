import fc from 'fast-check';
import { LeadingThoughts, MAX_WITHHELD_CHARACTERS } from './leading-thoughts.js';

/** The result for a text in these pieces, and how much of the text was emitted before the end. */
function read(pieces: readonly string[], { areBegun = false, areApart = false } = {}) {
  const said = { thought: '', text: '', unopened: 0 };
  const listener = {
    onThought: (words: string) => void (said.thought += words),
    onText: (words: string) => void (said.text += words),
    onUnopened: () => {
      said.unopened += 1;
      said.thought += said.text;
      said.text = '';
    },
    onNone: () => void (said.thought = ''),
  };
  const thoughts = new LeadingThoughts(listener, { areBegun });
  if (areApart) thoughts.areApart();
  for (const piece of pieces) {
    if (thoughts.isOver) said.text += piece;
    else thoughts.push(piece);
  }
  const given = { ...said };
  thoughts.end();
  return { ...said, given, areMissing: thoughts.areMissing };
}

function inPieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** Texts of parts of tags. */
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
        '`',
        '```',
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
    '< think>Hm.</think> So.',
    '</think>Hm.',
    ' \n',
    '',
  ])('are not there in %j, which stays as it is', (whole) => {
    expect(read([whole])).toMatchObject({ thought: '', text: whole });
    expect(read([...whole])).toMatchObject({ thought: '', text: whole });
  });

  it('are the same however the text is cut', () => {
    fc.assert(
      fc.property(tagged, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (whole, cuts, areBegun) => {
        const { thought, text, areMissing } = read([whole], { areBegun });
        expect(read(inPieces(whole, cuts), { areBegun })).toMatchObject({ thought, text, areMissing });
      }),
    );
  });

  it('hold up nothing that comes after them, nor a text without them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (thought, rest) => {
        const text = `.${rest}`;
        const whole = `<think>${thought.replaceAll('<', '')}</think>\n${text}`;
        expect(read([...whole]).given.text).toBe(text);
        // Everything except the possible beginning of a tag without an opening one.
        expect(text.slice(read([...text]).given.text.length)).toMatch(/^(<(\/(t(h(i(nk?)?)?)?)?)?)?$/);
      }),
    );
  });
});

describe('thoughts that nothing in the text has opened', () => {
  it.each([
    ['Okay, the user wants… </think>\n\nBonjour.', 'Okay, the user wants… ', 'Bonjour.'],
    ['Okay.\n</think>\r\nBonjour.', 'Okay.\n', 'Bonjour.'],
    ['\n</think>\n\nBonjour.', '\n', 'Bonjour.'],
    ['Okay.</think>', 'Okay.', ''],
    ['Okay.</think>\n', 'Okay.', ''],
    ['a < b, </thin, <</think>\nSo.', 'a < b, </thin, <', 'So.'],
    ['Not `</think>`, I think.</think>\nSo.', 'Not `</think>`, I think.', 'So.'],
    ['Don`t quote.\n</think>\nSo.', 'Don`t quote.\n', 'So.'],
    ['```\n</think>\n```\nThat.\n</think>\nSo.', '```\n</think>\n```\nThat.\n', 'So.'],
    ['Okay.</think>\nIt is\n</think>\nthere.', 'Okay.', 'It is\n</think>\nthere.'],
    ['It says </think> first.</think>\nSo.', 'It says </think> first.', 'So.'],
  ])('of %j are %j, and the rest %j', (whole, thought, text) => {
    for (const areBegun of [false, true]) {
      expect(read([whole], { areBegun })).toMatchObject({ thought, text, unopened: 1, areMissing: false });
      expect(read([...whole], { areBegun })).toMatchObject({ thought, text, unopened: 1, areMissing: false });
    }
  });

  it.each([
    ['spoken of', 'The tag </think> ends thoughts.'],
    ['between backticks', 'What ends them is `</think>`\nThat is all.'],
    ['behind backticks in its line', 'It is `a\u00a0</think>\n`.'],
    ['between more backticks', 'What ends them is ``a ` </think>\n``'],
    ['in a fence', 'So:\n```xml\n</think>\n```\nThat is all.'],
    ['in a fence of waves', '~~~\n</think>\n```\n</think>\n~~~\nThat is all.'],
    ['in a fence in a list', '1. So:\n   - ```\n     </think>\n     ```\n'],
    ['in a fence that is not closed', 'So:\n```\n</think>\n'],
    ['closing what was opened', 'So:\n<think>\nHm.\n</think>\nThat is all.'],
    ['closing what was opened in code', 'After `<think>` comes\n</think>\nThat is all.'],
    ['under another name', 'Hm.</thinking>\nSo.'],
  ])('are none where the tag is %s', (_, whole) => {
    const none = { thought: '', text: whole, unopened: 0 };
    expect(read([whole])).toMatchObject(none);
    expect(read([...whole])).toMatchObject(none);
  });

  it('are none where the provider tells thoughts apart', () => {
    const whole = 'It ends by\n</think>\nSo.';
    for (const areBegun of [false, true]) {
      const none = { thought: '', text: whole, unopened: 0, areMissing: areBegun };
      expect(read([...whole], { areBegun, areApart: true })).toMatchObject(none);
    }
  });

  it('are not shown where they are known to come', () => {
    const shown = (areBegun: boolean) => read([...'Hm, <think>. What?'], { areBegun });
    expect(shown(false).given.text).toBe('Hm, <think>. What?');
    expect(shown(true).given).toMatchObject({ text: '', thought: 'Hm, <think>. What?' });
    expect(read([...'Hm.</think>\nSo'], { areBegun: true }).given).toMatchObject({
      thought: 'Hm.',
      text: 'So',
    });
  });

  it.each(['Bonjour.', 'Bonj </thi', 'The tag </think> ends thoughts.', '<thin air>'])(
    'do not come where %j was all, which is the answer then',
    (whole) => {
      expect(read([...whole], { areBegun: true })).toMatchObject({
        thought: '',
        text: whole,
        areMissing: true,
      });
      expect(read([...whole])).toMatchObject({ areMissing: false });
    },
  );

  it('are not missed where nothing came, or they came in tags', () => {
    expect(read([' \n'], { areBegun: true }).areMissing).toBe(false);
    expect(read(['<think>Hm.</think>So.'], { areBegun: true })).toMatchObject({
      text: 'So.',
      areMissing: false,
    });
  });

  it('are not held without end', () => {
    const long = 'a'.repeat(MAX_WITHHELD_CHARACTERS);
    expect(read([long], { areBegun: true }).given.text).toBe('');
    const { given, areMissing } = read([long, 'b'], { areBegun: true });
    expect(given.text).toHaveLength(long.length + 1);
    expect(areMissing).toBe(true);
    const late = read([long, 'b', '</think>', '\nSo.'], { areBegun: true });
    expect(late).toMatchObject({ text: 'So.', unopened: 1, areMissing: false });
    expect(late.thought).toHaveLength(long.length + 1);
  });
});
