import fc from 'fast-check';

import { bm25, type Counted, idfOf } from './bm25.js';

function text(counts: Readonly<Record<string, number>>, length: number): Counted<string> {
  return {
    count: (term) => counts[term] ?? 0,
    length,
  };
}

describe('BM25', () => {
  it('is the sum of what the terms of the query say', () => {
    const idf = new Map([
      ['a', 2],
      ['b', 1],
      ['c', 5],
    ]);
    // Of average length: count × 2.2 / (count + 1.2).
    expect(bm25(idf, text({ a: 1, b: 3 }, 10), 10)).toBeCloseTo(2 * 1 + (3 * 2.2) / 4.2);
  });

  it('is nothing of a text that shares no term', () => {
    expect(bm25(new Map([['a', 2]]), text({ b: 1 }, 1), 1)).toBe(0);
    expect(bm25(new Map(), text({ b: 1 }, 1), 0)).toBe(0);
  });

  it('grows with the count and falls with the length', () => {
    const idf = new Map([['a', 1]]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }), (count, length) => {
        const score = bm25(idf, text({ a: count }, length), 100);
        expect(bm25(idf, text({ a: count + 1 }, length), 100)).toBeGreaterThan(score);
        expect(bm25(idf, text({ a: count }, length + 1), 100)).toBeLessThan(score);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThan(2.2);
      }),
    );
  });

  it('weighs a term the more the rarer it is, and never below nothing', () => {
    expect(idfOf(100, 1)).toBeGreaterThan(idfOf(100, 50));
    expect(idfOf(100, 50)).toBeGreaterThan(idfOf(100, 100));
    expect(idfOf(100, 100)).toBeGreaterThan(0);
    // Lists count what has gone since they were compacted.
    expect(idfOf(100, 120)).toBe(idfOf(100, 100));
  });
});
