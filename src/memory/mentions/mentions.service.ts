import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../database/transaction.js';
import type { Memory } from '../memory.entity.js';
import { rankMentions } from './mentions.js';
import { keysOf, keysOfMessage, readMessage } from './name-keys.js';
import { NameRepository } from './name.repository.js';
import { type Name, namesOf } from './names.js';

/** Memories whose names are kept read. */
const MOST_KEPT = 5_000;

/** What a message names, the surest first. */
export interface Mentions {
  projects: Memory[];
  contacts: Memory[];
}

/** Finds the projects and contacts that a message names, without a model. */
@Injectable()
export class MemoryMentions {
  /** By the version's id, which never changes. */
  private readonly read = new LRUCache<string, readonly Name[], Memory>({
    max: MOST_KEPT,
    memoMethod: (_id, _stale, { context }) => namesOf(context),
  });

  constructor(private readonly names: NameRepository) {}

  /** Of the member's own memories and the shared ones in force; at most `limit` of each kind. */
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

  /** Has `memory`, a project or a contact in force, recognised by its names from the commit of `tx` on. */
  async put(tx: Transaction, memory: Memory): Promise<void> {
    const keys = keysOf(namesOf(memory));
    if (keys.length > 0) await this.names.insert(tx, memory, keys);
  }

  /** Has it recognised no more: it was superseded. (What is deleted loses its names by itself.) */
  async remove(tx: Transaction, memoryId: string): Promise<void> {
    await this.names.delete(tx, memoryId);
  }
}
