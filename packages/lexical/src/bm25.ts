/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with its usual values. */
const K1 = 1.2;
const B = 0.75;

/** A text as it is scored. */
export interface Counted<Term> {
  /** How often a term is in it; 0: it is not. It need not be whole. */
  count(term: Term): number;
  /** In terms. */
  length: number;
}

/** How much a term tells that is in `df` of `items` items. */
export function idfOf(items: number, df: number): number {
  return Math.log(1 + (items - Math.min(df, items) + 0.5) / (Math.min(df, items) + 0.5));
}

/** What of a term's weight counts, 0 to 1: the more often it is there and the shorter the text, the more. */
export function saturation(count: number, length: number, averageLength: number): number {
  return count / (count + K1 * (1 - B + (B * length) / Math.max(1, averageLength)));
}

/** What a term of this weight adds to a text's score. */
export function gain(weight: number, count: number, length: number, averageLength: number): number {
  return weight * (K1 + 1) * saturation(count, length, averageLength);
}

/** How well a text answers a query, of which `idf` has each term with its weight; 0: they share none. */
export function bm25<Term>(
  idf: ReadonlyMap<Term, number>,
  text: Counted<Term>,
  averageLength: number,
): number {
  let score = 0;
  for (const [term, weight] of idf) {
    const count = text.count(term);
    if (count > 0) score += gain(weight, count, text.length, averageLength);
  }
  return score;
}
