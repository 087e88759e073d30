import fc from 'fast-check';

import { gain, idfOf } from './bm25.js';

describe('BM25', () => {
  it('gives a term its weight by its count: of average length, count × 2.2 / (count + 1.2)', () => {
    expect(gain(2, 1, 10, 10)).toBeCloseTo(2);
    expect(gain(1, 3, 10, 10)).toBeCloseTo((3 * 2.2) / 4.2);
    expect(gain(5, 0, 10, 10)).toBe(0);
    expect(gain(1, 0, 1, 0)).toBe(0);
  });

  it('grows with the count and falls with the length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }), (count, length) => {
        const score = gain(1, count, length, 100);
        expect(gain(1, count + 1, length, 100)).toBeGreaterThan(score);
        expect(gain(1, count, length + 1, 100)).toBeLessThan(score);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThan(2.2);
      }),
    );
  });

  it('weighs a term the more the rarer it is, and never below nothing', () => {
    expect(idfOf(100, 1)).toBeGreaterThan(idfOf(100, 50));
    expect(idfOf(100, 50)).toBeGreaterThan(idfOf(100, 100));
    expect(idfOf(100, 100)).toBeGreaterThan(0);
    // Lists include items removed since the last compaction.
    expect(idfOf(100, 120)).toBe(idfOf(100, 100));
  });
});
