import fc from 'fast-check';
import { O200kTokenizer } from '@palabre/llm-client';
import type { JsonValue } from '@palabre/json';

import type { TokenCounter } from '../agent-ports.js';
import { roughTokens } from '../scripted-turn.double.js';
import { cutResult } from './result-cut.js';

function cut(text: string, maxTokens: number, language = 'en'): string {
  return cutResult(text, maxTokens, roughTokens, language);
}

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
}

describe('a result that is too long', () => {
  it('is left as it is when it is not', () => {
    const result = JSON.stringify({ items: [1, 2, 3] });
    expect(cut(result, 10)).toBe(result);
    expect(cut('', 0)).toBe('');
  });

  it('keeps whole elements of a list, and says how many it lost', () => {
    const items = Array.from({ length: 40 }, (_, id) => ({ id, name: `Entry number ${id}` }));
    const shorter = JSON.parse(cut(JSON.stringify(items), 200)) as unknown[];
    const kept = shorter.slice(0, -1);
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(10);
    expect(shorter.at(-1)).toBe(`… ${40 - kept.length} of 40 elements left out for lack of room`);
  });

  it('keeps the small fields of an object, and cuts the large ones where that is possible', () => {
    const result = { total: 3, body: words(600), rows: [words(400), words(400)], source: 'registry' };
    const shorter = JSON.parse(cut(JSON.stringify(result), 400)) as typeof result;
    expect(Object.keys(shorter)).toEqual(['total', 'body', 'rows', 'source']);
    expect(shorter).toMatchObject({ total: 3, source: 'registry' });
    expect(shorter.body).toMatch(
      /^word0 .*word\d+\n\[… about \d+ of \d+ tokens left out for lack of room\]$/su,
    );
    expect(shorter.rows[0]).toMatch(/^word0 /u);
    expect(shorter.rows.at(-1)).toBe('… 1 of 2 elements left out for lack of room');
  });

  it('names the fields for which there is no room', () => {
    const result = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, words(5)]));
    const shorter = JSON.parse(cut(JSON.stringify(result), 800)) as Record<string, string>;
    const keys = Object.keys(shorter);
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.slice(0, -1)).toEqual(Object.keys(result).slice(0, keys.length - 1));
    expect(shorter['…']).toMatch(new RegExp(`^left out for lack of room: field${keys.length - 1}, `, 'u'));
    expect(shorter['…']).toContain(`(${300 - keys.length + 1})`);
  });

  it.each([
    ['paragraph', `${words(30)}.\n\n${words(10)}\n${words(60)}`, `${words(30)}.`],
    ['line', `${words(30)}\n${words(4)}. ${words(60)}`, words(30)],
    ['sentence', `${words(30)}. ${words(60)}`, `${words(30)}.`],
    ['word', words(90), words(46)],
  ])('is cut at the end of a %s', (_, text, expected) => {
    const [kept, note] = cut(text, 95).split(/\n(?=\[…)/u);
    expect(text.startsWith(kept ?? '')).toBe(true);
    expect(kept).toBe(expected);
    expect(note).toMatch(/^\[… about \d+ of \d+ tokens left out/u);
  });

  it('ends a sentence of Chinese where it ends, and says so in its language', () => {
    const text = `${'這是一句話。'.repeat(200)}`;
    const shorter = cutResult(text, 200, roughTokens, 'zh-Hant');
    expect(shorter).toMatch(/。\n［……因篇幅所限，省略了約 \d+ 個詞元，全文共 300 個］$/u);
  });

  it('is told how much of it is missing, in all', () => {
    const note = /about (?<left>\d+) of (?<all>\d+)/u.exec(cut(words(500), 300))?.groups;
    expect(Number(note?.all)).toBe(roughTokens.count(words(500)));
    expect(Number(note?.left)).toBeGreaterThan(Number(note?.all) - 300);
  });

  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }),
    fc.array(fc.record({ id: fc.nat(), text: fc.lorem({ maxCount: 30 }) }), { maxLength: 60 }),
    fc.dictionary(fc.string(), fc.lorem({ maxCount: 60 }), { maxKeys: 60 }),
    fc.string({ unit: 'binary', maxLength: 4000 }),
  );

  it.each([
    ['four characters a token', roughTokens],
    ['the real tokenizer', new O200kTokenizer()],
  ])('never is more than it may be, and stays JSON when it was: %s', (_, tokens) => {
    fc.assert(
      fc.property(json, fc.integer({ min: 60, max: 400 }), (value, maxTokens) => {
        const text = JSON.stringify(value);
        const shorter = cutResult(text, maxTokens, tokens, 'en');
        expect(tokens.count(shorter)).toBeLessThanOrEqual(maxTokens);
        expect(() => JSON.parse(shorter)).not.toThrow();
        if (tokens.count(text) <= maxTokens) expect(shorter).toBe(text);
        else expect(shorter).toContain('…');
      }),
      { numRuns: 300 },
    );
  });

  /** Two tokens a character, as the worst of Chinese has it; tells how much it was given to count. */
  const dense = () => {
    let counted = 0;
    const count = (text: string): number => {
      counted += text.length;
      return 2 * text.length;
    };
    const counter: TokenCounter = { count, cut: (text, maxTokens) => text.slice(0, maxTokens / 2) };
    return { counter, counted: () => counted };
  };
  const long = '盤查報告'.repeat(5);

  it.each<[string, JsonValue]>([
    ['one text', long.repeat(20_000)],
    ['many rows', Array.from({ length: 10_000 }, (_, id) => ({ id, text: long }))],
    ['many fields', Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [`k${id}`, long]))],
    ['half of it blank', { blank: ' '.repeat(200_000), text: long.repeat(10_000) }],
  ])('is not counted from end to end where it is very long: %s', (_, value) => {
    const { counter, counted } = dense();
    const text = JSON.stringify(value);
    const shorter = cutResult(text, 8_000, counter, 'zh-Hant');
    expect(text.length).toBeGreaterThan(200_000);
    expect(counted()).toBeLessThan(30_000);
    expect(2 * shorter.length).toBeLessThanOrEqual(8_000);
    expect(2 * shorter.length).toBeGreaterThan(4_000);
    expect(typeof JSON.parse(shorter)).toBe(typeof value);
  });

  it('is not counted from end to end where it is very long: no JSON', () => {
    const { counter, counted } = dense();
    const shorter = cutResult(`{${long.repeat(20_000)}`, 8_000, counter, 'en');
    expect(counted()).toBeLessThan(30_000);
    expect(2 * shorter.length).toBeLessThanOrEqual(8_000);
    expect(shorter.startsWith(`{${long}`)).toBe(true);
    expect(shorter).toMatch(/\n\[… about \d+ of \d+ tokens left out for lack of room\]$/u);
  });

  it('never is more than it may be, nor half a character, when it is text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 100, maxLength: 3000 }),
        fc.nat({ max: 200 }),
        (text, maxTokens) => {
          const shorter = cut(text, maxTokens);
          expect(roughTokens.count(shorter)).toBeLessThanOrEqual(maxTokens);
          expect(shorter.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
