import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { LocalRunner } from './local-runner.js';
import { turnTopics } from './turn-address.js';
import { TurnRepository } from '../turn.repository.js';

/**
 * Where turns wait to be run: their rows, and a hint to look at them now. There are no jobs beside the rows that could
 * disagree with them: whoever has room looks for rows that nobody attends to.
 */
@Injectable()
export class TurnQueue {
  constructor(
    private readonly turns: TurnRepository,
    private readonly runner: LocalRunner,
    private readonly pubSub: PubSub,
  ) {}

  /** The conversation is free, now that nobody waits for `endedId` any more: its next turn can be run. */
  async advance(tx: Transaction, conversationId: string, endedId: string): Promise<void> {
    const waiting = await this.turns.listBusyIds(tx, conversationId, 2);
    const next = waiting.find((id) => id !== endedId);
    if (next) await this.hint(tx, next);
  }

  /** Has a turn that waits run once `tx` is committed: here, or where there is room. */
  async hint(tx: Transaction, turnId: string): Promise<void> {
    const address = { companyId: tx.companyId, turnId };
    if (this.runner.hasRoom) tx.afterCommit(() => this.runner.offer(address));
    else await this.pubSub.publish(tx, turnTopics.queued, JSON.stringify(address));
  }
}
