import type { FoundScope, ListRange, Place } from './lexical.repository.js';

/** The part of a scope that has the items wanted. */
export interface SearchedRange extends ListRange {
  ordinals: ReadonlySet<number>;
}

/** By the ids of the scopes; `places`: the only items wanted. */
export const rangesOf = (
  scopes: readonly FoundScope[],
  places: readonly Place[],
): Map<number, SearchedRange> => {
  const ranges = new Map<number, SearchedRange>();
  const placesOf = Map.groupBy(places, ({ scopeId }) => scopeId);
  for (const { id: scopeId, indexedUntil } of scopes) {
    const listed = indexedUntil - 1;
    const ordinals = (placesOf.get(scopeId) ?? [])
      .map(({ ordinal }) => ordinal)
      .filter((ordinal) => ordinal <= listed);
    if (ordinals.length === 0) continue;
    const from = ordinals.reduce((one, other) => Math.min(one, other));
    const to = ordinals.reduce((one, other) => Math.max(one, other));
    ranges.set(scopeId, {
      scopeId,
      from,
      to,
      share: (to - from + 1) / listed,
      ordinals: new Set(ordinals),
    });
  }
  return ranges;
};
