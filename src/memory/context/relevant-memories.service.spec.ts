import fc from 'fast-check';

import type { SearchHit } from '../../documents/search-index/search.js';
import { type MemoryKind, memoryKinds } from '../memory.entity.js';
import { lexicalRangeOf, relevanceOf } from './relevant-memories.service.js';

const now = new Date('2026-06-01T00:00:00Z');
function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
function hit(lexicalScore: number, similarity: number | null = null): SearchHit {
  return {
    id: 'a',
    lexicalScore,
    similarity,
    score: 0.5,
  };
}
function relevance(found: SearchHit, kind: MemoryKind = 'FACT', days = 0): number {
  return relevanceOf(found, { least: 2, best: 8 }, { kind, validFrom: daysAgo(days) }, now);
}

describe('the relevance of a memory', () => {
  it('is its lexical score relative to the best one', () => {
    expect(relevance(hit(8))).toBe(1);
    expect(relevance(hit(4))).toBe(0.5);
    expect(relevance(hit(1.9))).toBe(0);
    expect(relevanceOf(hit(0), { least: 0, best: 0 }, { kind: 'FACT', validFrom: now }, now)).toBe(0);
  });

  it('is 0 for a lexical score that is noise', () => {
    const idf = new Map([
      ['a', 3],
      ['b', 5],
    ]);
    const found = {
      hits: [hit(2), hit(4), hit(0, 0.9)],
      weights: { idf, otherIdf: new Map(), averageLength: 9 },
    };
    expect(lexicalRangeOf(found, 'project moves')).toEqual({ least: 0.35 * 4, best: 4 });
    expect(lexicalRangeOf(found, '專案進度')).toEqual({ least: 0.35 * 4, best: 4 });
    expect(lexicalRangeOf({ ...found, hits: [] }, '')).toEqual({ least: 0.35 * 8, best: 0 });
  });

  it('is its similarity when that is higher', () => {
    expect(relevance(hit(0, 0.8))).toBeCloseTo(1);
    expect(relevance(hit(4, 0.3))).toBe(0.5);
    expect(relevance(hit(0, 0.1))).toBe(0);
  });

  it('is lower for old memories and for contacts', () => {
    expect(relevance(hit(8), 'FACT', 180)).toBeCloseTo(0.9);
    expect(relevance(hit(8), 'CONTACT')).toBe(0.9);
    // However old: never so much that something else would go before it that says half as much.
    expect(relevance(hit(8), 'CONTACT', 10_000)).toBeGreaterThan(relevance(hit(4)));
  });

  it('does not change within a day', () => {
    const validFrom = new Date('2026-05-20T13:00:00Z');
    const at = (time: string): number =>
      relevanceOf(
        hit(8),
        { least: 0, best: 8 },
        { kind: 'FACT', validFrom },
        new Date(`2026-06-01T${time}Z`),
      );
    expect(at('00:00:00')).toBe(at('12:59:00'));
  });

  it('is between 0 and 1, less for less and for older', () => {
    const anyHit = fc.record({
      lexicalScore: fc.double({ min: 0, max: 8, noNaN: true }),
      similarity: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(
        anyHit,
        fc.constantFrom(...memoryKinds),
        fc.integer({ min: -10, max: 9_000 }),
        (found, kind, days) => {
          const { lexicalScore, similarity } = found;
          const score = relevance(hit(lexicalScore, similarity), kind, days);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(relevance(hit(lexicalScore / 2, similarity), kind, days)).toBeLessThanOrEqual(score);
          expect(relevance(hit(lexicalScore, similarity), kind, days + 30)).toBeLessThanOrEqual(score);
        },
      ),
    );
  });
});
