import type { Memory, MemoryKind } from '../memory.entity.js';
import { type Match, matchesOf } from './matches.js';
import type { Reading } from './name-keys.js';
import { type Name, namesOf } from './names.js';

/** How much less a part of a name tells that several have. */
const LESS_WHEN_SHARED = 20;

type Nameable = Pick<Memory, 'id' | 'kind' | 'subject' | 'attributes' | 'ownerId'>;

/**
 * Those of the memories of one kind that a message names, the surest first; of the same sureness the one that is named
 * first, a member's own before the company's, the newest.
 */
export const rankMentions = <M extends Nameable>(
  reading: Reading,
  memories: readonly M[],
  kind: MemoryKind,
  namesOfMemory: (memory: M) => readonly Name[] = namesOf,
): M[] => {
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
};

/** Of one place, only as many matches as can differ are kept apart: a thousand Maries are one kind of match. */
interface Place extends Match {
  count: number;
}

/** The places over each word: a match is compared with what is where it is. What stands in no place is over none. */
type Places = ReadonlyMap<number, readonly Place[]>;

const placesOf = (matches: readonly Match[]): Places => {
  const places = new Map<string, Place>();
  for (const match of matches) {
    const key = JSON.stringify(match);
    const place = places.get(key);
    if (place) place.count += 1;
    else places.set(key, { ...match, count: 1 });
  }
  const byWord = new Map<number, Place[]>();
  for (const place of places.values()) {
    for (let word = place.start; word < place.end; word += 1) {
      const others = byWord.get(word);
      if (others) others.push(place);
      else byWord.set(word, [place]);
    }
  }
  return byWord;
};

const bestOf = (matches: readonly Match[], places: Places): Match | null => {
  const best = matches
    .filter((match) => !placesOver(match, places).some((other) => outdoes(other, match)))
    .map((match) => ({
      ...match,
      sureness: match.sureness - (isShared(match, places) ? LESS_WHEN_SHARED : 0),
    }))
    .toSorted((a, b) => b.sureness - a.sureness || a.start - b.start);
  return best[0] ?? null;
};

const placesOver = ({ start, end }: Match, places: Places): readonly Place[] =>
  end > start ? (places.get(start) ?? []) : [];

/** Where "Marie Dupont" is named, "Marie" names nobody else; nor does "Paula", where there is one, name Paul. */
const outdoes = (other: Match, match: Match): boolean => {
  const covers = other.start <= match.start && other.end >= match.end;
  if (!covers || other.sureness <= match.sureness) return false;
  const isLonger = other.end - other.start > match.end - match.start;
  return isLonger || (other.isAsWritten && !match.isAsWritten);
};

/** Whether a part of a name is that of several, so that it tells less of whom is meant. */
const isShared = (match: Match, places: Places): boolean => {
  const { start, end, kind } = match;
  if (kind !== 'FIRST' && kind !== 'LAST') return false;
  const same = placesOver(match, places).filter(
    (other) => other.start === start && other.end === end && other.kind === kind,
  );
  return same.reduce((count, other) => count + other.count, 0) > 1;
};
