import type { FoundScope, Place } from './lexical.repository.js';

/** Postings that are read for a query, about. */
const MAX_POSTINGS = 60_000;

/** The part of a scope that is searched, by ordinals. */
export interface SearchedRange {
  from: number;
  to: number;
  /** Of the scope's listed items, 0 to 1. */
  share: number;
  /** Null: all of them. */
  ordinals: ReadonlySet<number> | null;
}

/** What of each scope is searched, by its id; `places`: the only items wanted, null: all. */
export const rangesOf = (
  scopes: readonly FoundScope[],
  places: readonly Place[] | null,
): Map<number, SearchedRange> => {
  const ranges = new Map<number, SearchedRange>();
  const placesOf = Map.groupBy(places ?? [], ({ scopeId }) => scopeId);
  for (const { id, indexedUntil } of scopes) {
    const listed = indexedUntil - 1;
    if (listed === 0) continue;
    if (!places) {
      ranges.set(id, { from: 1, to: listed, share: 1, ordinals: null });
      continue;
    }
    const ordinals = (placesOf.get(id) ?? [])
      .map(({ ordinal }) => ordinal)
      .filter((ordinal) => ordinal <= listed);
    if (ordinals.length === 0) continue;
    const from = ordinals.reduce((one, other) => Math.min(one, other));
    const to = ordinals.reduce((one, other) => Math.max(one, other));
    ranges.set(id, { from, to, share: (to - from + 1) / listed, ordinals: new Set(ordinals) });
  }
  return ranges;
};

/**
 * The terms whose lists are read, the rarest of those that are listed at all, of which `postings` says how much there
 * is to read. The others tell little: they count when the best are scored exactly.
 */
export const rarest = (terms: Iterable<number>, postings: (term: number) => number): Set<number> => {
  const sizes = Array.from(terms, (term) => ({ term, size: postings(term) }))
    .filter(({ size }) => size > 0)
    .toSorted((one, other) => one.size - other.size);
  let sum = 0;
  const beyond = sizes.findIndex(({ size }, index) => {
    sum += size;
    return index > 0 && sum > MAX_POSTINGS;
  });
  return new Set((beyond < 0 ? sizes : sizes.slice(0, beyond)).map(({ term }) => term));
};
