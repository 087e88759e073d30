import fc from 'fast-check';
import type { JsonValue } from '@palabre/json';

import { ERASED, Eraser, needlesOf, textsOfDocument } from './eraser.js';

const eraser = new Eraser({ texts: ['Prefers "tea", not café'], shortTexts: ['Awa', '小明', '4711'] });

describe('what was forgotten is erased', () => {
  it('from a text, wherever it stands', () => {
    expect(eraser.text('She says: Prefers "tea", not café.', 'elsewhere')).toBe(`She says: ${ERASED}.`);
  });

  it('from JSON in a text, however JSON writes it', () => {
    const written = '{"content": "Prefers \\"tea\\", not caf\\u00e9", "kind": "FACT"}';
    expect(JSON.parse(eraser.text(written, 'elsewhere'))).toEqual({ content: ERASED, kind: 'FACT' });
  });

  it('from JSON in JSON in a text', () => {
    const inner = JSON.stringify({ notes: ['Prefers "tea", not café'] });
    const erased = JSON.parse(eraser.text(JSON.stringify({ arguments: inner }), 'elsewhere')) as {
      arguments: string;
    };
    expect(JSON.parse(erased.arguments)).toEqual({ notes: [ERASED] });
  });

  it.each([
    '{"content": "Prefers \\"tea\\", not café", ',
    '{"content": "Prefers \\"tea\\", not caf\\u00e9", ',
  ])('from what was to be JSON and broke off: %s', (broken) => {
    expect(eraser.text(broken, 'elsewhere')).toBe(`{"content": "${ERASED}", `);
  });

  it('from the result of a skill, which stays JSON between its marks', () => {
    const result = '<result skill="recall">\n{"phone": 4711, "name": "Awa"}\n</result>';
    expect(eraser.text(result, 'memory')).toBe(
      `<result skill="recall">\n{"phone":"${ERASED}","name":"${ERASED}"}\n</result>`,
    );
  });

  it('where it is short, only where memories stand', () => {
    expect(eraser.text('Awa calls 小明', 'elsewhere')).toBe('Awa calls 小明');
    expect(eraser.text('Awa calls 小明', 'memory')).toBe(`${ERASED} calls ${ERASED}`);
    expect(eraser.text('Awa?\n<memory>\n- Awa: x\n</memory>\nAwa', 'elsewhere')).toBe(
      `Awa?\n<memory>\n- ${ERASED}: x\n</memory>\nAwa`,
    );
  });

  it('where it is short, not from inside other words', () => {
    expect(eraser.text('Awake in Kawa, Awa', 'memory')).toBe(`Awake in Kawa, ${ERASED}`);
  });

  it('where it is a number, also as one', () => {
    expect(eraser.json({ phone: 4711, room: 47 }, 'memory')).toEqual({ phone: ERASED, room: 47 });
  });

  it('whatever signs it is made of, from any JSON, which stays JSON of the same shape', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 30 }).filter((drawn) => {
      return !ERASED.includes(drawn) && drawn.trim() !== '' && !/^\s*[[{]/.test(drawn);
    });
    // As it was stored once: JSON has no -0.
    const stored = fc
      .jsonValue({ maxDepth: 2 })
      .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    fc.assert(
      fc.property(text, stored, (forgotten, around) => {
        const held = {
          around,
          list: [forgotten, 1],
          inner: JSON.stringify({ forgotten }),
          plain: `x ${forgotten} y`,
        };
        const own = new Eraser({ texts: [forgotten], shortTexts: [] });
        const erased = own.json(held as JsonValue, 'elsewhere') as typeof held;
        expect(erased.list).toEqual([ERASED, 1]);
        expect(JSON.parse(erased.inner)).toEqual({ forgotten: ERASED });
        expect(erased.plain).toBe(`x ${ERASED} y`);
        const whole = own.text(JSON.stringify(held), 'elsewhere');
        expect(JSON.parse(whole)).toEqual(erased);
      }),
    );
  });
});

describe('nothing else is touched', () => {
  it('a text without it is the same, to the blank', () => {
    const written = '{ "a" : 1.0,\n "b": "tea" }';
    expect(eraser.text(written, 'memory')).toBe(written);
  });

  it('a value without it is the same object', () => {
    const value: JsonValue = { a: [1, { b: 'tea' }], c: null };
    expect(eraser.json(value, 'memory')).toBe(value);
  });
});

describe('the needles of a text', () => {
  it('find it in JSON within JSON, as any server writes it', () => {
    const forgotten = 'says "é" \\ 小明';
    const inner = JSON.stringify({ forgotten });
    const ascii = inner.replace(
      /[^\x00-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const stored of [forgotten, inner, ascii, JSON.stringify({ inner }), JSON.stringify({ ascii })]) {
      expect(needlesOf(forgotten).some((needle) => stored.includes(needle))).toBe(true);
    }
  });
});

const OURS = '019ca6b1-dc00-7000-8000-000000000001';
const OTHER = '019ca6b1-dc00-7000-8000-000000000002';

it('are those of the passages that are the document’s, and of no other', () => {
  const result = {
    passages: [
      { document: 'rapport.pdf', documentId: OURS, page: 1, score: 0.5, text: 'Le karité de Kolda est mûr.' },
      { document: 'autre.pdf', documentId: OTHER, page: 1, score: 0.4, text: 'Le sésame de Kaffrine.' },
    ],
  };
  expect(textsOfDocument(result, OURS)).toEqual(['Le karité de Kolda est mûr.']);
});

it('are all of an analysis of it, but for what may stand anywhere', () => {
  const result = {
    status: 'COMPLETED',
    document: { id: OURS, name: 'rapport.pdf' },
    keyFigures: [{ label: 'Émissions directes de 2025', value: '12 t' }],
  };
  expect(textsOfDocument(result, OURS)).toEqual(['Émissions directes de 2025']);
  expect(textsOfDocument(result, OTHER)).toEqual([]);
});

it.each([null, 'text', 3, [], { document: null }])('are none in %j', (value) => {
  expect(textsOfDocument(value, OURS)).toEqual([]);
});
