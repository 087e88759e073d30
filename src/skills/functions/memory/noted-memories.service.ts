import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/clock.js';
import type { Transaction } from '../../../database/transaction.js';
import { RelevantMemories } from '../../../memory-context/relevant-memories.service.js';
import type { Memory } from '../../../memory/memory.entity.js';
import { MemoryReader } from '../../../memory/memory-reader.service.js';
import type { PreparedQuery } from '../../../search/search.js';
import type { Recalling } from './recall-input.js';

const MOST = 10;
/** Without a question: for most people all there is. */
const MOST_LISTED = 30;
/** What is not of the days or the kinds that were asked for is found as well, and left out afterwards. */
const MOST_READ = 100;

type Wanted = Pick<Recalling, 'kinds' | 'isInRange'>;

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
    { kinds, isInRange }: Wanted,
  ): Promise<Memory[]> {
    if (kinds.length === 0) return [];
    if (!query) {
      const noted = await this.memories.listInForce(tx, memberId, kinds, MOST_READ);
      return noted.filter(({ validFrom }) => isInRange(validFrom)).slice(0, MOST_LISTED);
    }
    const found = await this.relevant.find(tx, { memberId, now: this.clock.now() }, query, MOST_READ);
    return found
      .filter(({ memory, score }) => score > 0 && kinds.includes(memory.kind) && isInRange(memory.validFrom))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ memory }) => memory);
  }
}
