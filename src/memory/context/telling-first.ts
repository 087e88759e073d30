import { idfOf, termsOf } from '@palabre/lexical';

/** A text is distinctive if its terms are on average at least this share as rare as a term of one text alone. */
const LEAST_SHARE = 0.5;

/** Puts texts last that say little beyond many others, such as 200 notes about one project. */
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
