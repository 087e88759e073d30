/**
 * What an operation may cost: about as many short values as it may show. A few hundred thousand take the server some
 * tenths of a second and make some tens of megabytes.
 */
export const MAX_COST = 400_000;

/** Of a field that asks the database once for each thing that it stands in, and not once for all of them. */
export const QUERY_COST = 100;

/** The cost of a list without pages that has about `length` items, which makes what it shows of one so many times as dear. */
export const listCost =
  (length: number, ofItsOwn = 1) =>
  ({ childComplexity }: { childComplexity: number }): number =>
    ofItsOwn + length * Math.max(1, childComplexity);
