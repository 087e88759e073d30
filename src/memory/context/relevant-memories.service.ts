import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../../common/clock.js';
import { onlyContentWordsOf } from '../../documents/search-index/stop-words.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';
import type { PreparedQuery, SearchHit, SearchOutcome } from '../../documents/search-index/search.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MemoryReader, memoryScopesOf } from '../memory-reader.service.js';
import type { Memory, MemoryRange, MemoryKind } from '../memory.entity.js';
import type { ToTell } from './compose-context.js';

/** How many hits are read for a range: more, when hits outside of the range left too few inside of it. */
const READ_FOR_RANGE = [100, 1_000];

interface Asker {
  memberId: string;
  now: Date;
}

/** What was found in a range. `isAll` is false when there is or may be more. */
interface FoundInRange {
  found: ToTell[];
  isAll: boolean;
}

/** Finds the memories that are relevant to a query: by words, meaning and age. */
@Injectable()
export class RelevantMemories {
  constructor(
    private readonly memories: MemoryReader,
    private readonly index: SearchIndex,
  ) {}

  /** The member's own and shared memories in force, in the order of the search index, which is not that of the scores. */
  async find(tx: Transaction, asker: Asker, query: PreparedQuery, limit: number): Promise<ToTell[]> {
    const { hits, range } = await this.search(tx, asker, query, limit);
    if (hits.length === 0) return [];
    return scored(hits, range, await this.memories.findMany(tx, asker.memberId, idsOf(hits)), asker);
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
    const words = onlyContentWordsOf(query.text);
    if (words === '' && query.vector === null) return { hits: [], range: { least: 0, best: 0 } };
    const asked = { scopes: memoryScopesOf(memberId), limit };
    const found = await this.index.search(tx, { ...query, text: words }, asked);
    return { hits: found.hits, range: lexicalRangeOf(found, words) };
  }
}

function idsOf(hits: readonly SearchHit[]): string[] {
  return hits.map(({ id }) => id);
}

/** In the order of the hits. */
function scored(
  hits: readonly SearchHit[],
  range: LexicalRange,
  memories: readonly Memory[],
  { now }: Asker,
): ToTell[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return hits.flatMap((hit) => {
    const memory = byId.get(hit.id);
    return memory ? [{ memory, score: relevanceOf(hit, range, memory, now) }] : [];
  });
}

/** The weight of a very old memory, compared with 1 for a new one. */
const MIN_RECENCY = 0.8;
const HALF_LIFE_DAYS = 180;

/** Contacts and projects that the message does not name are less often relevant. */
const kindWeights: Record<MemoryKind, number> = { FACT: 1, PREFERENCE: 1, PROJECT: 0.95, CONTACT: 0.9 };

/** Cosine similarities of common embedding models: of unrelated texts, and of texts that say the same. */
const UNRELATED = 0.2;
const SAME_MEANING = 0.8;

interface Aged {
  kind: MemoryKind;
  validFrom: Date;
}

/** The part of an average query word's weight that a hit must reach: word endings match by chance. */
const MIN_WORD_SHARE = 0.35;

/** For scaling lexical scores. */
interface LexicalRange {
  /** Scores below this are noise. */
  least: number;
  best: number;
}

/** `words` is the text that was searched for. */
export function lexicalRangeOf({ hits, weights }: SearchOutcome, words: string): LexicalRange {
  let total = 0;
  for (const weight of weights.idf.values()) total += weight;
  const best = hits.reduce((most, { lexicalScore }) => Math.max(most, lexicalScore), 0);
  return { least: (MIN_WORD_SHARE * total) / wordCountOf(words), best };
}

/** The relevance of a hit to the message, 0 to 1: by words or meaning, whichever is higher, and by age and kind. */
export function relevanceOf(hit: SearchHit, range: LexicalRange, memory: Aged, now: Date): number {
  return closenessOf(hit, range) * recencyOf(memory.validFrom, now) * kindWeights[memory.kind];
}

/** In scripts without spaces, two characters count as a word. */
function wordCountOf(words: string): number {
  return Math.max(
    1,
    words.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{1,2}|[\p{L}\p{N}]+/gu)?.length ?? 1,
  );
}

function closenessOf({ lexicalScore, similarity }: SearchHit, { least, best }: LexicalRange): number {
  const byWords = lexicalScore > 0 && lexicalScore >= least ? lexicalScore / best : 0;
  const byMeaning = similarity === null ? 0 : (similarity - UNRELATED) / (SAME_MEANING - UNRELATED);
  return Math.min(1, Math.max(0, byWords, byMeaning));
}

/** In whole days, so that a context stays the same for a day. */
function recencyOf(validFrom: Date, now: Date): number {
  const days = Math.max(0, Math.floor((now.getTime() - validFrom.getTime()) / DAY_MS));
  return MIN_RECENCY + (1 - MIN_RECENCY) * 2 ** (-days / HALF_LIFE_DAYS);
}
