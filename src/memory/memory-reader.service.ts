import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import { MessagePathRepository } from '../conversations/message-path.repository.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { SearchScope } from '../documents/search-index/search.js';
import { subjectKeyOf } from './memory-input.js';
import { type Memory, type MemoryKind, memoryKinds, type MemoryRange } from './memory.entity.js';
import { MemoryRepository } from './memory.repository.js';

/** The search scopes of a member: their own memories, and the shared ones. */
export function memoryScopesOf(memberId: string): SearchScope[] {
  return [
    { collection: 'MEMORY', ownerId: memberId },
    { collection: 'MEMORY', ownerId: null },
  ];
}

/** Reads the memories that one member may see: their own and the shared ones. Each method is one statement. */
@Injectable()
export class MemoryReader {
  constructor(
    private readonly memories: MemoryRepository,
    private readonly paths: MessagePathRepository,
  ) {}

  /** By id, superseded versions included. Leaves out what does not exist or belongs to another member. */
  async findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    const valid = ids.filter(isId);
    return valid.length === 0 ? [] : this.memories.findMany(tx, memberId, valid);
  }

  /** Of these memories, those that were learned in the conversation of `leaf`, but not on the path to it. */
  async listBeside(tx: Transaction, leaf: string | null, memories: readonly Memory[]): Promise<Set<Memory>> {
    const sources = memories.flatMap(({ sourceMessageId }) => sourceMessageId ?? []);
    if (leaf === null || sources.length === 0) return new Set();
    const beside = new Set(await this.paths.listBeside(tx, leaf, sources));
    return new Set(memories.filter(({ sourceMessageId }) => beside.has(sourceMessageId ?? '')));
  }

  /** In force, of these kinds: first the member's own, then the shared ones, each the newest first. */
  listInForce(
    tx: Transaction,
    memberId: string,
    kinds: readonly MemoryKind[],
    limit: number,
  ): Promise<Memory[]> {
    return this.memories.listInForce(tx, memberId, kinds, limit);
  }

  /** As listInForce, in a range: at most `limit` of the member's own and as many shared ones. */
  listInRange(tx: Transaction, memberId: string, range: MemoryRange, limit: number): Promise<Memory[]> {
    return this.memories.listInRange(tx, memberId, range, limit);
  }

  /** Memories in force with this subject, in any spelling: at most one of each kind and owner. */
  listOfSubject(
    tx: Transaction,
    memberId: string,
    subject: string,
    kinds: readonly MemoryKind[],
  ): Promise<Memory[]> {
    return this.memories.listOfSubject(tx, memberId, subjectKeyOf(subject), kinds);
  }

  hasLearnedFrom(tx: Transaction, memberId: string, messageId: string): Promise<boolean> {
    return this.memories.hasLearnedFrom(tx, memberId, messageId, memoryKinds);
  }

  /** Null: the lineage was forgotten. */
  findInForce(tx: Transaction, memberId: string, lineageId: string): Promise<Memory | null> {
    return this.memories.findInForce(tx, memberId, lineageId);
  }

  /** Whether a memory of the member's or of the company's was forgotten at or after `since`. */
  hasForgotten(tx: Transaction, memberId: string, since: Date): Promise<boolean> {
    return this.memories.hasForgotten(tx, memberId, since);
  }
}
