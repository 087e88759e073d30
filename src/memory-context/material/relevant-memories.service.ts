import { Injectable } from '@nestjs/common';

import { onlyTellingWordsOf } from '../../search/question/stop-words.js';
import type { Transaction } from '../../database/transaction.js';
import type { Memory } from '../../memory/memory.entity.js';
import type { MemoryRange } from '../../memory/memory-range.js';
import { MemoryReader, memoryScopesOf } from '../../memory/memory-reader.service.js';
import { SearchIndex } from '../../search/search-index.service.js';
import type { PreparedQuery, SearchHit } from '../../search/search.js';
import type { ToTell } from '../compose-context.js';
import { type LexicalRange, lexicalRangeOf, relevanceOf } from './relevance.js';

/** Hits that are read for a range; more where those outside of it have taken the places of those that are in it. */
const READ_FOR_RANGE = [100, 1_000];

export interface Asker {
  memberId: string;
  now: Date;
}

/** What was found in a range. `isAll`: false if more of it bears on the query, or may do so. */
export interface FoundInRange {
  found: ToTell[];
  isAll: boolean;
}

/** Finds the memories that bear on what is asked: by words, by meaning, and by how old they are. */
@Injectable()
export class RelevantMemories {
  constructor(
    private readonly memories: MemoryReader,
    private readonly index: SearchIndex,
  ) {}

  /** Of the member's own and the shared ones in force, at most `limit`, in the order of the search; the score tells more. */
  async find(tx: Transaction, asker: Asker, query: PreparedQuery, limit: number): Promise<ToTell[]> {
    const { hits, range } = await this.search(tx, asker, query, limit);
    if (hits.length === 0) return [];
    return scored(hits, range, await this.memories.findMany(tx, asker.memberId, idsOf(hits)), asker);
  }

  /** The same in a range alone: those that bear on the query, the best first, at most `most`. */
  async findInRange(
    tx: Transaction,
    asker: Asker,
    query: PreparedQuery,
    wanted: MemoryRange,
    most: number,
  ): Promise<FoundInRange> {
    let found: ToTell[] = [];
    for (const limit of READ_FOR_RANGE) {
      const { hits, range } = await this.search(tx, asker, query, limit);
      const memories = await this.memories.findInRange(tx, asker.memberId, idsOf(hits), wanted);
      found = scored(hits, range, memories, asker)
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score);
      const isRead = hits.length < limit || memories.length === hits.length;
      if (found.length > most) break;
      if (isRead) return { found, isAll: true };
    }
    return { found: found.slice(0, most), isAll: false };
  }

  private async search(
    tx: Transaction,
    { memberId }: Asker,
    query: PreparedQuery,
    limit: number,
  ): Promise<{ hits: SearchHit[]; range: LexicalRange }> {
    const words = onlyTellingWordsOf(query.text);
    if (words === '' && query.vector === null) return { hits: [], range: { least: 0, best: 0 } };
    const asked = { scopes: memoryScopesOf(memberId), limit };
    const found = await this.index.search(tx, { ...query, text: words }, asked);
    return { hits: found.hits, range: lexicalRangeOf(found, words) };
  }
}

const idsOf = (hits: readonly SearchHit[]): string[] => hits.map(({ id }) => id);

/** In the order of the hits. */
const scored = (
  hits: readonly SearchHit[],
  range: LexicalRange,
  memories: readonly Memory[],
  { now }: Asker,
): ToTell[] => {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return hits.flatMap((hit) => {
    const memory = byId.get(hit.id);
    return memory ? [{ memory, score: relevanceOf(hit, range, memory, now) }] : [];
  });
};
