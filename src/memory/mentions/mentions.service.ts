import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { keysOf, keysOfMessage, type Name, namesOf, rankMentions, readMessage } from '@palabre/names';

import type { Transaction } from '../../platform/database/transaction.js';
import type { Memory } from '../memory.entity.js';
import { NameRepository } from './name.repository.js';

const MAX_CACHED = 5_000;

/** The memories named in a message, the best match first. */
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
