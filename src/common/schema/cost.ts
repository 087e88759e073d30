/** About the number of short values in an operation's answer. So many take the server some tenths of a second. */
export const MAX_COST = 400_000;

/** The cost of a field that queries the database for each of its parents, and not once for all. */
export const QUERY_COST = 100;

/** The cost of a list without pages, of about `length` items. */
export function listCost(length: number, ownCost = 1) {
  return ({ childComplexity }: { childComplexity: number }): number =>
    ownCost + length * Math.max(1, childComplexity);
}
