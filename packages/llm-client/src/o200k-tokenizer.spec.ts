import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { O200kTokenizer } from './o200k-tokenizer.js';

const tokenizer = new O200kTokenizer();
const plainText = { disallowedSpecial: new Set<string>() };

/** Texts of several scripts, with runs long enough to be counted in pieces. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.lorem(),
      fc
        .tuple(fc.constantFrom('a', 'é', '好', '😀', ' ', '\n', '-', '\u0301', '1'), fc.nat(200))
        .map(([character, times]) => character.repeat(times)),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

describe('O200kTokenizer', () => {
  it.each([
    ['', 0],
    ['Hello, world!', 4],
    ["Le financement vert des PME d'Afrique de l'Ouest", 12],
    ['我們可以查詢這份文件', 7],
    ['<|endoftext|>', 7],
  ])('counts %j as %d', (text, count) => expect(tokenizer.count(text)).toBe(count));

  it('counts what the library counts, of ordinary words and of any characters', () => {
    const words = fc.array(fc.lorem({ maxCount: 8, mode: 'sentences' })).map((all) => all.join('\n'));
    fc.assert(
      fc.property(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
        expect(tokenizer.count(text)).toBe(encode(text, plainText).length);
      }),
      { numRuns: 500 },
    );
  });

  it('counts long runs in pieces, which makes little of a difference', () => {
    for (const character of ['a', 'é', '好', '😀', ' ', '-', '\n']) {
      const run = character.repeat(1000);
      const whole = encode(run).length;
      const pieces = tokenizer.count(run);
      expect(pieces).toBeGreaterThanOrEqual(whole);
      expect(pieces - whole).toBeLessThanOrEqual(1000 / 64 + 1);
    }
  });

  it('never counts more than there are bytes', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(tokenizer.fitsSurely(text, tokenizer.count(text) - 1)).toBe(false);
      }),
    );
  });

  it('cuts to a beginning that fits, and not by far too short', () => {
    fc.assert(
      fc.property(texts, fc.nat(300), (text, maxTokens) => {
        const beginning = tokenizer.cut(text, maxTokens);
        expect(text.startsWith(beginning)).toBe(true);
        expect(tokenizer.count(beginning)).toBeLessThanOrEqual(maxTokens);
        // A character is at most a handful of tokens.
        if (beginning !== text) expect(tokenizer.count(beginning)).toBeGreaterThanOrEqual(maxTokens - 4);
      }),
      { numRuns: 500 },
    );
  });

  it('cuts no character in two', () => {
    for (let maxTokens = 0; maxTokens < 40; maxTokens++) {
      const beginning = tokenizer.cut('👩‍🚀🧑🏾‍⚕️𠮷野家'.repeat(5), maxTokens);
      expect(beginning.isWellFormed()).toBe(true);
    }
  });

  it('leaves a text alone that fits', () => {
    expect(tokenizer.cut('a word or two', 100)).toBe('a word or two');
    expect(tokenizer.cut('Le financement vert', 5)).toBe('Le financement vert');
    expect(tokenizer.cut('x', 0)).toBe('');
  });

  it('says without counting whether a text surely fits', () => {
    expect(tokenizer.fitsSurely('été', 5)).toBe(true);
    expect(tokenizer.fitsSurely('été', 4)).toBe(false);
  });

  it.each(['a', '好', '😀', ' ', '-', '\u0301'])('takes a long run of %j', (character) => {
    const text = character.repeat(200_000);
    expect(tokenizer.count(text)).toBeGreaterThan(3_000);
    expect(tokenizer.count(tokenizer.cut(text, 1_000))).toBeLessThanOrEqual(1_000);
  });
});
