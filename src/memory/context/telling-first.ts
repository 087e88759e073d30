import { idfOf, termsOf } from '@palabre/lexical';

/** Of how rare a term is that one text has: what is on average less rare is said last. */
const LEAST_SHARE = 0.5;

/** Last those that say little that is not in many of the others, as 200 notes about one project do. */
export function tellingFirst<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  const dfs = new Map<string, number>();
  const terms = items.map((item) => [...termsOf(textOf(item)).keys()]);
  for (const own of terms) for (const term of own) dfs.set(term, (dfs.get(term) ?? 0) + 1);
  const telling = terms.map(
    (own) =>
      own.reduce((sum, term) => sum + idfOf(items.length, dfs.get(term) ?? 0), 0) / Math.max(1, own.length),
  );
  const least = LEAST_SHARE * idfOf(items.length, 1);
  const isTelling = (_: Item, place: number): boolean => (telling[place] ?? 0) >= least;
  return [...items.filter(isTelling), ...items.filter((item, place) => !isTelling(item, place))];
}
