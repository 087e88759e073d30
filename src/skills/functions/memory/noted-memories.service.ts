import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/clock.js';
import type { Transaction } from '../../../database/transaction.js';
import { RelevantMemories } from '../../../memory-context/material/relevant-memories.service.js';
import type { Memory } from '../../../memory/memory.entity.js';
import type { MemoryRange } from '../../../memory/memory-range.js';
import { MemoryReader } from '../../../memory/memory-reader.service.js';
import type { PreparedQuery } from '../../../search/search.js';

const MOST = 10;
/** Without a question: for most people all there is. */
const MOST_LISTED = 30;
/** Of them the company's have so much room at least, however much a member has noted. */
const ROOM_FOR_SHARED = 10;

/** `isAll`: false if there are more, or may be. */
export interface Noted {
  memories: Memory[];
  isAll: boolean;
}

/** What was noted of a member, and for the whole company. */
@Injectable()
export class NotedMemories {
  constructor(
    private readonly memories: MemoryReader,
    private readonly relevant: RelevantMemories,
    private readonly clock: Clock,
  ) {}

  /** The best that bears on the query; without one, what was noted last, of the member before what all are told. */
  async find(
    tx: Transaction,
    memberId: string,
    query: PreparedQuery | null,
    range: MemoryRange,
  ): Promise<Noted> {
    if (range.kinds.length === 0) return { memories: [], isAll: true };
    if (!query) {
      const listed = await this.memories.listInRange(tx, memberId, range, MOST_LISTED + 1);
      const memories = withRoomForShared(listed);
      return { memories, isAll: memories.length === listed.length };
    }
    const asker = { memberId, now: this.clock.now() };
    const { found, isAll } = await this.relevant.findInRange(tx, asker, query, range, MOST);
    return { memories: found.map(({ memory }) => memory), isAll };
  }
}

const withRoomForShared = (listed: readonly Memory[]): Memory[] => {
  const own = listed.filter(({ ownerId }) => ownerId !== null);
  const shared = listed.slice(own.length);
  const room = Math.max(ROOM_FOR_SHARED, MOST_LISTED - own.length);
  const told = shared.slice(0, room);
  return [...own.slice(0, MOST_LISTED - told.length), ...told];
};
