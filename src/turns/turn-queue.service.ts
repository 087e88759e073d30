import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { JobQueue } from '../jobs/job-queue.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { FIRST_LOOK_SECONDS, runTurn, turnTopics } from './run-turn.js';
import { TurnLog } from './turn-log.service.js';
import { TurnRepository } from './turn.repository.js';

/** Where turns wait to be run: a row, a job that looks after it, and a hint to run it now. */
@Injectable()
export class TurnQueue {
  constructor(
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
  ) {}

  /** Puts a new turn in line: it will be run, whatever happens to this process after the commit. */
  async put(tx: Transaction, turnId: string): Promise<void> {
    await this.log.append(tx, { companyId: tx.companyId, turnId, attempt: 0 }, [
      { type: 'status-changed', status: 'QUEUED', detail: null },
    ]);
    await this.lookAfter(tx, turnId, FIRST_LOOK_SECONDS);
    this.hint(tx, turnId);
  }

  /** Has the turn looked at again after a while, in case its owner will have gone. */
  async lookAfter(tx: Transaction, turnId: string, startAfterSeconds: number): Promise<void> {
    await this.jobs.enqueue(tx, runTurn, { companyId: tx.companyId, turnId }, { startAfterSeconds });
  }

  /** The conversation is free: its next turn can be run. */
  async advance(tx: Transaction, conversationId: string): Promise<void> {
    const [next] = await this.turns.listUnfinished(tx, [conversationId]);
    if (next?.status === 'QUEUED') this.hint(tx, next.id);
  }

  private hint(tx: Transaction, turnId: string): void {
    const address = JSON.stringify({ companyId: tx.companyId, turnId });
    tx.afterCommit(() => this.pubSub.publish(turnTopics.queued, address));
  }
}
