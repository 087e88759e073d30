import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import type { Transaction } from '../database/transaction.js';
import type { SearchScope } from '../search/search.js';
import { subjectKeyOf } from './input/subject-key.js';
import { type Memory, type MemoryKind, memoryKinds } from './memory.entity.js';
import type { MemoryRange } from './memory-range.js';
import { MemoryRepository } from './memory.repository.js';

/** What a member's questions may be answered with: their own memories, and the company's. */
export const memoryScopesOf = (memberId: string): SearchScope[] => [
  { collection: 'MEMORY', ownerId: memberId },
  { collection: 'MEMORY', ownerId: null },
];

/** Reads memories as one member may see them: their own and the shared ones. Each method is one statement. */
@Injectable()
export class MemoryReader {
  constructor(private readonly memories: MemoryRepository) {}

  /** By id, also superseded ones; what is not there, or another member's, is left out. */
  async findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    const valid = ids.filter(isId);
    return valid.length === 0 ? [] : this.memories.findMany(tx, memberId, valid);
  }

  /** The same, as far as they are in the range. */
  async findInRange(
    tx: Transaction,
    memberId: string,
    ids: readonly string[],
    range: MemoryRange,
  ): Promise<Memory[]> {
    const valid = ids.filter(isId);
    return valid.length === 0 ? [] : this.memories.findInRange(tx, memberId, valid, range);
  }

  /** In force: the member's own before the shared ones, each the newest first, at most `limit`. */
  listPreferences(tx: Transaction, memberId: string, limit: number): Promise<Memory[]> {
    return this.listInForce(tx, memberId, ['PREFERENCE'], limit);
  }

  /** The same of these kinds. */
  listInForce(
    tx: Transaction,
    memberId: string,
    kinds: readonly MemoryKind[],
    limit: number,
  ): Promise<Memory[]> {
    return this.memories.listInForce(tx, memberId, kinds, limit);
  }

  /** The same in a range, at most `limit` of the member's own and as many of the shared ones. */
  listInRange(tx: Transaction, memberId: string, range: MemoryRange, limit: number): Promise<Memory[]> {
    return this.memories.listInRange(tx, memberId, range, limit);
  }

  /** What is in force on exactly this subject, however it is written: at most one of each kind and owner. */
  listOfSubject(
    tx: Transaction,
    memberId: string,
    subject: string,
    kinds: readonly MemoryKind[],
  ): Promise<Memory[]> {
    return this.memories.listOfSubject(tx, memberId, subjectKeyOf(subject), kinds);
  }

  /** Whether anything of the member's own was learned from this message, and not forgotten since. */
  hasLearnedFrom(tx: Transaction, memberId: string, messageId: string): Promise<boolean> {
    return this.memories.hasLearnedFrom(tx, memberId, messageId, memoryKinds);
  }

  /** The version in force of a lineage; null: it was forgotten. */
  findInForce(tx: Transaction, memberId: string, lineageId: string): Promise<Memory | null> {
    return this.memories.findInForce(tx, memberId, lineageId);
  }

  /** All that is the member's own, superseded versions too, in the order of their ids; at most `limit` after the id `after`. */
  exportOf(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Memory[]> {
    return this.memories.listOwn(tx, memberId, memoryKinds, after, limit);
  }
}
