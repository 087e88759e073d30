import { Injectable } from '@nestjs/common';
import { onlyContentWordsOf } from '@palabre/lexical';

import { DAY_MS } from '../../common/clock.js';
import { MessagePathRepository } from '../../conversations/message-path.repository.js';
import { hasAny, wordsOf } from '../../documents/search/named-words.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';
import type { PreparedQuery, SearchHit } from '../../documents/search-index/search.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { memoryScopesOf, textOf } from '../memory-index.service.js';
import type { Memory, MemoryKind, MemoryRange } from '../memory.entity.js';
import { SeenMemoryRepository } from '../seen-memory.repository.js';
import type { ToTell } from './compose-context.js';

/** How many hits are read for a range: more, when hits outside of the range left too few inside of it. */
const READ_FOR_RANGE = [100, 1_000];

interface Asker {
  memberId: string;
  now: Date;
}

/** The hits in a range. `isAll` is false if there may be more. */
interface FoundInRange {
  found: ToTell[];
  isAll: boolean;
}

/** Finds the memories that are relevant to a query: by words, meaning and age. */
@Injectable()
export class RelevantMemories {
  constructor(
    private readonly memories: SeenMemoryRepository,
    private readonly index: SearchIndex,
    private readonly paths: MessagePathRepository,
  ) {}

  /** The member's own and shared memories in force, in the order of the search index, which is not that of the scores. */
  async find(tx: Transaction, asker: Asker, query: PreparedQuery, limit: number): Promise<ToTell[]> {
    const { hits, words } = await this.search(tx, asker, query, limit);
    if (hits.length === 0) return [];
    return scored(hits, words, await this.memories.findTold(tx, asker.memberId, idsOf(hits)), asker);
  }

  /** The relevant memories in a range, the best first, at most `most`. */
  async findInRange(
    tx: Transaction,
    asker: Asker,
    query: PreparedQuery,
    wanted: MemoryRange,
    most: number,
  ): Promise<FoundInRange> {
    let found: ToTell[] = [];
    for (const limit of READ_FOR_RANGE) {
      const { hits, words } = await this.search(tx, asker, query, limit);
      if (hits.length === 0) return { found: [], isAll: true };
      const memories = await this.memories.findInRange(tx, asker.memberId, idsOf(hits), wanted);
      found = scored(hits, words, memories, asker)
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score);
      const isRead = hits.length < limit || memories.length === hits.length;
      if (found.length > most) break;
      if (isRead) return { found, isAll: true };
    }
    return { found: found.slice(0, most), isAll: false };
  }

  /** The memories learnt in the conversation of `leaf`, but not on the path to it. */
  async listBeside(tx: Transaction, leaf: string | null, memories: readonly Memory[]): Promise<Set<Memory>> {
    const sources = memories.flatMap(({ sourceMessageId }) => sourceMessageId ?? []);
    if (leaf === null || sources.length === 0) return new Set();
    const beside = new Set(await this.paths.listBeside(tx, leaf, sources));
    return new Set(memories.filter(({ sourceMessageId }) => beside.has(sourceMessageId ?? '')));
  }

  private async search(
    tx: Transaction,
    { memberId }: Asker,
    query: PreparedQuery,
    limit: number,
  ): Promise<{ hits: SearchHit[]; words: string[] }> {
    const text = onlyContentWordsOf(query.text);
    if (text === '' && query.vector === null) return { hits: [], words: [] };
    const { hits } = await this.index.search(
      tx,
      { ...query, text },
      { scopes: memoryScopesOf(memberId), limit },
    );
    return { hits, words: wordsOf(text) };
  }
}

function idsOf(hits: readonly SearchHit[]): string[] {
  return hits.map(({ id }) => id);
}

/** In the order of the hits. `words`: the searched words. */
function scored(
  hits: readonly SearchHit[],
  words: readonly string[],
  memories: readonly Memory[],
  { now }: Asker,
): ToTell[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const found = hits.flatMap(({ id, lexicalScore, similarity }) => {
    const memory = byId.get(id);
    if (!memory) return [];
    // Parts of words match by chance. Words that no memory has do not count against memories with the others.
    return [{ memory, similarity, byWords: hasAny(textOf(memory), words) ? lexicalScore : 0 }];
  });
  const best = found.reduce((most, { byWords }) => Math.max(most, byWords), 0);
  return found.map(({ memory, similarity, byWords }) => ({
    memory,
    score: relevanceOf({ byWords: best > 0 ? byWords / best : 0, similarity }, memory, now),
  }));
}

/** The weight of a very old memory, compared with 1 for a new one. */
const MIN_RECENCY = 0.8;
const HALF_LIFE_DAYS = 180;

/** Contacts and projects that the message does not name are less often relevant. */
const kindWeights: Record<MemoryKind, number> = { FACT: 1, PREFERENCE: 1, PROJECT: 0.95, CONTACT: 0.9 };

/** Cosine similarities of common embedding models: of unrelated texts, and of texts that say the same. */
const UNRELATED = 0.2;
const SAME_MEANING = 0.8;

interface Closeness {
  /** The lexical score as a share of the best one, 0 to 1. */
  byWords: number;
  /** Cosine similarity; null: not found by meaning. */
  similarity: number | null;
}

/** The relevance of a memory to the message, 0 to 1: by words or meaning, whichever is higher, and by age and kind. */
export function relevanceOf(
  { byWords, similarity }: Closeness,
  { validFrom, kind }: Pick<Memory, 'validFrom' | 'kind'>,
  now: Date,
): number {
  const byMeaning = similarity === null ? 0 : (similarity - UNRELATED) / (SAME_MEANING - UNRELATED);
  return Math.min(1, Math.max(0, byWords, byMeaning)) * recencyOf(validFrom, now) * kindWeights[kind];
}

/** In whole days, so that a context stays the same for a day. */
function recencyOf(validFrom: Date, now: Date): number {
  const days = Math.max(0, Math.floor((now.getTime() - validFrom.getTime()) / DAY_MS));
  return MIN_RECENCY + (1 - MIN_RECENCY) * 2 ** (-days / HALF_LIFE_DAYS);
}
