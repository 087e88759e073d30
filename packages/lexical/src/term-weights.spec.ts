import fc from 'fast-check';

import { weightsOf } from './term-weights.js';
import { isGram, type Word, wordsOf } from './terms.js';

function sumOf(weights: ReadonlyMap<string, number>): number {
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}

/** Each gram with the weight that `weightOf` gives it. */
function idfOf(words: readonly Word[], weightOf: (gram: string) => number): Map<string, number> {
  return new Map(words.flatMap(({ terms }) => terms.filter(isGram)).map((gram) => [gram, weightOf(gram)]));
}

describe('the weight of a word', () => {
  it('grows far more slowly than it gets longer', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 1, maxLength: 30 }),
        (text) => {
          const words = wordsOf(text);
          const idf = idfOf(words, (gram) => 1 + gram.charCodeAt(0) / 100);
          const most = Math.max(...idf.values());
          const grams = Math.max(1, text.length - 3);
          const sum = sumOf(weightsOf(words, idf));
          expect(sum).toBeLessThanOrEqual(most * Math.cbrt(grams) + 1e-9);
          // A gram that it has twice counts once.
          if (idf.size === grams) expect(sum).toBeCloseTo(most * Math.cbrt(grams));
        },
      ),
    );
  });

  it('is shared by those of its grams that are anywhere', () => {
    const weights = weightsOf(wordsOf('blian'), new Map([['lian', 3]]));
    expect(sumOf(weights)).toBeCloseTo(3);
    expect([...weights.keys()]).toEqual(['lian', '=blian']);
    expect(weightsOf(wordsOf('xyzzy'), new Map()).size).toBe(0);
  });

  it('goes to its rarer grams', () => {
    const idf = new Map(Object.entries({ bila: 1, ilan: 3 }));
    const weights = weightsOf(wordsOf('bilan'), idf);
    expect(weights.get('=bilan')).toBeCloseTo(0.9 * Math.cbrt(2));
    expect(weights.get('ilan')).toBeCloseTo(3 * (weights.get('bila') ?? 0));
  });

  it('of a gram in two words is the greater one', () => {
    const idf = new Map(Object.entries({ cost: 1, osts: 5 }));
    expect(weightsOf(wordsOf('cost costs'), idf).get('cost')).toBe(1);
  });
});

describe('characters in a row', () => {
  it.each([
    ['稅', 1],
    ['貸款', 1],
    ['貸款額度', 2],
    ['申請綠色貸款', 3],
  ])('%s weighs as much as %i words', (text, words) => {
    const row = wordsOf(text);
    expect(
      sumOf(
        weightsOf(
          row,
          idfOf(row, () => 1),
        ),
      ),
    ).toBeCloseTo(words);
  });

  it('weighs pairs more than characters', () => {
    const row = wordsOf('貸款額度');
    const weights = weightsOf(
      row,
      idfOf(row, () => 1),
    );
    expect(weights.get('貸款')).toBeGreaterThan(2 * (weights.get('貸') ?? 1));
  });
});
