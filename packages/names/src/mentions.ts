import { type Match, matchesOf } from './matches.js';
import type { Reading } from './name-keys.js';
import { type Name, type Named, namesOf } from './names.js';

/** Subtracted for a part of a name that several memories have. */
const SHARED_NAME_PENALTY = 20;

/** Something with a name, and a place among others of the same. */
export interface Nameable extends Named {
  /** Later ones have larger ids. */
  id: string;
  /** Null: shared by all. */
  ownerId: string | null;
}

/** By confidence, then position in the message, then the member's own first, then the newest. */
export function rankMentions<M extends Nameable>(
  reading: Reading,
  memories: readonly M[],
  kind: Nameable['kind'],
  namesOfMemory: (memory: M) => readonly Name[] = namesOf,
): M[] {
  const named = memories
    .filter((memory) => memory.kind === kind)
    .map((memory) => ({ memory, matches: matchesOf(reading, namesOfMemory(memory)) }));
  const byPlace = placesOf(named.flatMap(({ matches }) => matches));
  const ranked = named.flatMap(({ memory, matches }) => {
    const best = bestOf(matches, byPlace);
    return best ? [{ memory, best }] : [];
  });
  return ranked
    .toSorted(
      (a, b) =>
        b.best.sureness - a.best.sureness ||
        a.best.start - b.best.start ||
        Number(a.memory.ownerId === null) - Number(b.memory.ownerId === null) ||
        (a.memory.id < b.memory.id ? 1 : -1),
    )
    .map(({ memory }) => memory);
}

interface Place extends Match {
  count: number;
}

/** The places of matches by each covered word. */
type Places = ReadonlyMap<number, readonly { place: Place }[]>;

function placesOf(matches: readonly Match[]): Places {
  const alike = [...Map.groupBy(matches, (match) => JSON.stringify(match)).values()];
  const covered = alike.flatMap(([match, ...others]) => {
    if (!match) return [];
    const place = { ...match, count: 1 + others.length };
    return Array.from({ length: match.end - match.start }, (_, at) => ({ word: match.start + at, place }));
  });
  return Map.groupBy(covered, ({ word }) => word);
}

function bestOf(matches: readonly Match[], places: Places): Match | null {
  const best = matches
    .filter((match) => !placesOver(match, places).some((other) => outdoes(other, match)))
    .map((match) => ({
      ...match,
      sureness: match.sureness - (isShared(match, places) ? SHARED_NAME_PENALTY : 0),
    }))
    .toSorted((a, b) => b.sureness - a.sureness || a.start - b.start);
  return best[0] ?? null;
}

function placesOver({ start, end }: Match, places: Places): readonly Place[] {
  return end > start ? (places.get(start) ?? []).map(({ place }) => place) : [];
}

/** In "Marie Dupont", "Marie" names nobody else. "Paula" does not name Paul if there is a Paula. */
function outdoes(other: Match, match: Match): boolean {
  const covers = other.start <= match.start && other.end >= match.end;
  if (!covers || other.sureness <= match.sureness) return false;
  const isLonger = other.end - other.start > match.end - match.start;
  return isLonger || (other.isAsWritten && !match.isAsWritten);
}

/** Whether several memories have this part of a name. */
function isShared(match: Match, places: Places): boolean {
  const { start, end, kind } = match;
  if (kind !== 'FIRST' && kind !== 'LAST') return false;
  const same = placesOver(match, places).filter(
    (other) => other.start === start && other.end === end && other.kind === kind,
  );
  return same.reduce((count, other) => count + other.count, 0) > 1;
}
