import { Injectable } from '@nestjs/common';

import { onlyTellingWordsOf } from '../search/question/stop-words.js';
import type { Transaction } from '../database/transaction.js';
import { MemoryReader, memoryScopesOf } from '../memory/memory-reader.service.js';
import { SearchIndex } from '../search/search-index.service.js';
import type { PreparedQuery } from '../search/search.js';
import type { ToTell } from './compose-context.js';
import { lexicalRangeOf, relevanceOf } from './relevance.js';

/** Finds the memories that bear on what is asked: by words, by meaning, and by how old they are. */
@Injectable()
export class RelevantMemories {
  constructor(
    private readonly memories: MemoryReader,
    private readonly index: SearchIndex,
  ) {}

  /** Of the member's own and the shared ones in force, at most `limit`, in the order of the search; the score tells more. */
  async find(
    tx: Transaction,
    { memberId, now }: { memberId: string; now: Date },
    query: PreparedQuery,
    limit: number,
  ): Promise<ToTell[]> {
    const words = onlyTellingWordsOf(query.text);
    if (words === '' && query.vector === null) return [];
    const asked = { scopes: memoryScopesOf(memberId), limit };
    const found = await this.index.search(tx, { ...query, text: words }, asked);
    const { hits } = found;
    if (hits.length === 0) return [];
    const memories = await this.memories.findMany(
      tx,
      memberId,
      hits.map(({ id }) => id),
    );
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    const range = lexicalRangeOf(found, words);
    return hits.flatMap((hit) => {
      const memory = byId.get(hit.id);
      return memory ? [{ memory, score: relevanceOf(hit, range, memory, now) }] : [];
    });
  }
}
