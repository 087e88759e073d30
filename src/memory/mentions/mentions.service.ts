import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../platform/database/transaction.js';
import type { Memory, MemoryKind } from '../memory.entity.js';
import { type Match, matchesOf } from './matches.js';
import { keysOf, keysOfMessage, readMessage, type Reading } from './name-keys.js';
import { NameRepository } from './name.repository.js';
import { type Name, namesOf } from './names.js';

/** Memories whose parsed names are cached. */
const MAX_CACHED = 5_000;

/** What a message names, the best match first. */
export interface Mentions {
  projects: Memory[];
  contacts: Memory[];
}

/** Finds the projects and contacts that a message names, by rules and without a model. */
@Injectable()
export class MemoryMentions {
  /** By the id of the version, which never changes. */
  private readonly read = new LRUCache<string, readonly Name[], Memory>({
    max: MAX_CACHED,
    memoMethod: (_id, _stale, { context }) => namesOf(context),
  });

  constructor(private readonly names: NameRepository) {}

  /** Searches the member's own and the shared memories in force. At most `limit` of each kind. */
  async find(tx: Transaction, memberId: string, message: string, limit: number): Promise<Mentions> {
    const reading = readMessage(message);
    const keys = keysOfMessage(reading);
    if (keys.length === 0) return { projects: [], contacts: [] };
    const found = await this.names.find(tx, memberId, keys);
    const names = (memory: Memory): readonly Name[] => this.read.memo(memory.id, { context: memory });
    return {
      projects: rankMentions(reading, found, 'PROJECT', names).slice(0, limit),
      contacts: rankMentions(reading, found, 'CONTACT', names).slice(0, limit),
    };
  }

  /** Adds the names of `memory`, a project or contact in force, to the index. */
  async put(tx: Transaction, memory: Memory): Promise<void> {
    const keys = keysOf(namesOf(memory));
    if (keys.length > 0) await this.names.insert(tx, memory, keys);
  }

  /** Removes the names of a superseded memory. A foreign key deletes those of a deleted one. */
  async remove(tx: Transaction, memoryId: string): Promise<void> {
    await this.names.delete(tx, memoryId);
  }
}

/** Subtracted for a part of a name that several memories have. */
const SHARED_NAME_PENALTY = 20;

type Nameable = Pick<Memory, 'id' | 'kind' | 'subject' | 'attributes' | 'ownerId'>;

/** By confidence, then position in the message, then the member's own first, then the newest. */
export function rankMentions<M extends Nameable>(
  reading: Reading,
  memories: readonly M[],
  kind: MemoryKind,
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

/** The places by each word that they cover. */
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

/** In "Marie Dupont", "Marie" names nobody else. Nor does "Paula", where there is a Paula, name Paul. */
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
