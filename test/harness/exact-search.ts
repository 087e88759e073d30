import { bm25, hashOfTerm, idfOf, termsOf, TermVector, WORD_MARK } from '@palabre/lexical';

/** What search is measured by: BM25 over every text, the best first, with nothing left out and nothing in between. */
export function searchExactly(
  texts: ReadonlyMap<string, string>,
  query: string,
): { id: string; score: number }[] {
  const vectors = Array.from(texts, ([id, text]) => ({ id, vector: TermVector.of(text) }));
  const length = vectors.reduce((sum, { vector }) => sum + vector.length, 0);
  const dfOf = (term: string): number =>
    vectors.filter(({ vector }) => vector.count(hashOfTerm(term)) > 0).length;
  const gramsOf = (word: string): string[] =>
    [...termsOf(word).keys()].filter((term) => !term.startsWith(WORD_MARK));
  const idf = new Map<number, number>();
  for (const term of termsOf(query).keys()) {
    const grams = term.startsWith(WORD_MARK) ? gramsOf(term) : [term];
    const weights = grams.map((gram) => idfOf(vectors.length, dfOf(gram)));
    idf.set(hashOfTerm(term), Math.max(...weights));
  }
  return vectors
    .map(({ id, vector }) => ({ id, score: bm25(idf, vector, length / vectors.length) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}
