import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { Database } from '../../platform/database/database.js';
import { awaitAll } from '../../platform/database/transaction.js';
import { RelevantMemories } from '../../memory/context/relevant-memories.service.js';
import { type Memory, memoryKinds } from '../../memory/memory.entity.js';
import { SeenMemoryRepository } from '../../memory/seen-memory.repository.js';
import { MemoryMentions } from '../../memory/mentions/mentions.service.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';

const MAX_KNOWN = 20;
const MAX_FOUND = 15;
const MAX_NAMED = 3;
const MAX_RECENT = 5;

/** Existing memories that may concern a message. */
export interface Known {
  own: Memory[];
  shared: Memory[];
}

/** Finds memories that a new note may correct or repeat. */
@Injectable()
export class KnownMemories {
  constructor(
    private readonly database: Database,
    private readonly memories: SeenMemoryRepository,
    private readonly mentions: MemoryMentions,
    private readonly search: SearchIndex,
    private readonly relevant: RelevantMemories,
    private readonly clock: Clock,
  ) {}

  /** Current memories: named ones, similar ones, and the newest of each kind. */
  async find(
    { companyId, memberId }: { companyId: string; memberId: string },
    text: string,
    signal: AbortSignal,
  ): Promise<Known> {
    const query = await this.search.prepare(text, signal);
    return this.database.read(companyId, async (tx) => {
      const now = this.clock.now();
      const [named, found, ...recent] = await awaitAll([
        this.mentions.find(tx, memberId, text, MAX_NAMED),
        this.relevant.find(tx, { memberId, now }, query, MAX_FOUND),
        ...memoryKinds.map((kind) => this.memories.listInForce(tx, memberId, [kind], MAX_RECENT)),
      ]);
      const like = found.toSorted((one, other) => other.score - one.score).map(({ memory }) => memory);
      const all = [...named.projects, ...named.contacts, ...like, ...recent.flat()];
      return known(all.filter(({ supersededBy }) => supersededBy === null));
    });
  }
}

function known(memories: readonly Memory[]): Known {
  const each = [...new Map(memories.map((memory) => [memory.id, memory])).values()];
  return {
    own: each.filter(({ ownerId }) => ownerId !== null).slice(0, MAX_KNOWN),
    shared: each.filter(({ ownerId }) => ownerId === null),
  };
}
