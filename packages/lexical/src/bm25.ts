/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with its usual values. */
const K1 = 1.2;
const B = 0.75;

/** How informative a term is that occurs in `df` of `items` items. */
export function idfOf(items: number, df: number): number {
  return Math.log(1 + (items - Math.min(df, items) + 0.5) / (Math.min(df, items) + 0.5));
}

/** The part of a term's weight that counts, 0 to 1. It grows with the count and shrinks with the text's length. */
export function saturation(count: number, length: number, averageLength: number): number {
  return count / (count + K1 * (1 - B + (B * length) / Math.max(1, averageLength)));
}

/** What a term of this weight adds to a text's score. */
export function gain(weight: number, count: number, length: number, averageLength: number): number {
  return weight * (K1 + 1) * saturation(count, length, averageLength);
}
