import { QueryTerms } from './query-terms.js';

describe('a query', () => {
  it('weighs a word like the rarest of its grams', () => {
    const query = QueryTerms.of('bilan');
    const dfOf = new Map([
      ['bila', 10],
      ['ilan', 2],
    ]);
    const idf = query.idf(100, (hash) => dfOf.get(query.grams.get(hash) ?? '') ?? 0);
    expect(idf.get('=bilan')).toBe(idf.get('ilan'));
    expect(idf.get('ilan')).toBeGreaterThan(idf.get('bila') ?? 0);
  });

  it('of many words is known by some of them, always the same, from everywhere', () => {
    const words = Array.from({ length: 4_000 }, (_, index) => String(index + 1_000));
    const query = QueryTerms.of(words.join(' '));
    expect(query.grams.size).toBe(256);
    expect(new Map(QueryTerms.of(words.join(' ')).grams)).toEqual(new Map(query.grams));
    const places = Array.from(query.grams.values(), (gram) => words.indexOf(gram));
    expect(Math.min(...places)).toBeLessThan(500);
    expect(Math.max(...places)).toBeGreaterThan(3_500);
  });

  it.each(['', '  ', '?!', '\0', '\ud83d'])('of %j asks for nothing', (text) => {
    expect(QueryTerms.of(text).isEmpty).toBe(true);
  });
});
