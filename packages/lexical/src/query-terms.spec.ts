import fc from 'fast-check';

import { idfOf } from './bm25.js';
import { QueryTerms } from './query-terms.js';
import { hashOfTerm } from './term-hash.js';

function dfIn(query: QueryTerms, counts: ReadonlyMap<string, number>): (gram: number) => number {
  const byHash = new Map(query.terms.map((term) => [hashOfTerm(term), counts.get(term) ?? 0]));
  return (gram) => byHash.get(gram) ?? 0;
}

describe('a query', () => {
  it('of many words is known by some of them, always the same, from everywhere', () => {
    const words = Array.from({ length: 4_000 }, (_, index) => String(index + 1_000));
    const query = QueryTerms.of(words.join(' '));
    expect(query.grams.size).toBe(256);
    expect(new Map(QueryTerms.of(words.join(' ')).grams)).toEqual(new Map(query.grams));
    const places = Array.from(query.grams.values(), (gram) => words.indexOf(gram));
    expect(Math.min(...places)).toBeLessThan(500);
    expect(Math.max(...places)).toBeGreaterThan(3_500);
  });

  it('weighs a character alike however it is written, by all that have it', () => {
    const query = QueryTerms.of('台');
    const dfOf = new Map([
      ['台', 1],
      ['臺', 9],
    ]);
    const df = dfIn(query, dfOf);
    const idf = query.idf(100, df);
    expect(idf).toEqual(new Map([['台', idfOf(100, 10)]]));
    expect(query.otherIdf(idf, 100, df).get('臺')).toBe(idfOf(100, 10));
    expect(query.listed).toContain(hashOfTerm('臺'));
  });

  it('weighs the parts of a figure together as the figure, where there are all of them', () => {
    const query = QueryTerms.of('1234567');
    const df = dfIn(
      query,
      new Map([
        ['1', 50],
        ['234', 2],
        ['567', 1],
      ]),
    );
    const idf = query.idf(100, df);
    const others = query.otherIdf(idf, 100, df);
    expect([...others.keys()]).toEqual(['1', '234', '567']);
    expect([...others.values()].reduce((sum, weight) => sum + weight)).toBeCloseTo(idfOf(100, 0));
    expect(others.get('567')).toBeGreaterThan(others.get('1') ?? 0);
    expect(query.otherIdf(idf, 100, (gram) => (gram === hashOfTerm('567') ? 0 : 1)).size).toBe(0);
  });

  it('is looked up by so many terms at most', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'台发干面里后復臺12345 a'), maxLength: 3_000 }),
        (text) => {
          const query = QueryTerms.of(text);
          expect(query.listed.length).toBeLessThanOrEqual(512);
          expect(new Set(query.terms).size).toBe(query.terms.length);
          for (const gram of query.grams.values()) expect(query.terms).toContain(gram);
        },
      ),
    );
  });

  it.each(['', '  ', '?!', '\0', '\ud83d'])('of %j asks for nothing', (text) => {
    expect(QueryTerms.of(text).isEmpty).toBe(true);
  });
});
