import { gain, hashOfTerm, QueryTerms, TermVector } from '@palabre/lexical';

/** What search is measured by: BM25 over every text, the best first, with nothing left out and nothing in between. */
export function searchExactly(
  texts: ReadonlyMap<string, string>,
  query: string,
): { id: string; score: number }[] {
  const vectors = Array.from(texts, ([id, text]) => ({ id, vector: TermVector.of(text) }));
  const length = vectors.reduce((sum, { vector }) => sum + vector.length, 0);
  const dfOf = (term: number): number => vectors.filter(({ vector }) => vector.count(term) > 0).length;
  const asked = QueryTerms.of(query);
  const weights = asked.idf(vectors.length, dfOf);
  const idf = Array.from(weights, ([term, weight]) => ({ hash: hashOfTerm(term), weight }));
  const scoreOf = (vector: TermVector): number =>
    idf.reduce(
      (sum, { hash, weight }) =>
        sum + gain(weight, vector.count(hash), vector.length, length / vectors.length),
      0,
    );
  return vectors
    .map(({ id, vector }) => ({ id, score: scoreOf(vector) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}
