/** About the number of short values in an operation's answer. So many take the server some tenths of a second. */
export const MAX_COST = 400_000;

/** The cost of what takes as long as a whole query, or waits for a server outside: an operation may have two dozen. */
export const HEAVY_COST = MAX_COST / 25;

/** The cost of a field that queries the database for each of its parents, and not once for all. */
export const QUERY_COST = 100;

/** The cost of a list without pages, of about `length` items. */
export function listCost(length: number, ownCost = 1) {
  return ({ childComplexity }: { childComplexity: number }): number =>
    ownCost + length * Math.max(1, childComplexity);
}
