import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { SkillCallRepository } from './skill-call.repository.js';
import type { TurnEventBody } from './turn-event.js';
import { type LogPage, TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';
import type { Claim } from './turn.repository.js';

/** A write came too late: the turn has ended, is gone, or another attempt has it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** The events of turns, stored before anybody sees them: what a client was shown, a resume can show again. */
@Injectable()
export class TurnLog {
  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly skillCalls: SkillCallRepository,
    private readonly feed: TurnFeed,
  ) {}

  /** Stores `events` in a transaction of their own, then shows them. Rejects with ClaimLost. */
  commit(claim: Claim, events: TurnEventBody[]): Promise<void> {
    return this.write(claim, (tx) => this.append(tx, claim, events));
  }

  /** Runs a transaction that appends to the turn's log. */
  async write(claim: Claim, work: (tx: Transaction) => Promise<void>): Promise<void> {
    try {
      await this.database.transaction(claim.companyId, work);
    } catch (error) {
      // A commit whose answer was lost may be stored all the same; a claim is also lost when the turn is removed.
      this.feed.lookAgain(claim.turnId);
      throw error;
    }
  }

  /** Stores `events` as part of `tx`; they are shown once it is committed. Rejects with ClaimLost. */
  async append(tx: Transaction, claim: Claim, events: TurnEventBody[]): Promise<void> {
    if (events.length === 0) return;
    const stored = await this.rows.append(tx, claim, events, new Date());
    if (!stored) throw new ClaimLost(`The turn ${claim.turnId} is no longer attempt ${claim.attempt}’s.`);
    for (const event of stored) await this.skillCalls.apply(tx, event);
    tx.afterCommit(() => this.feed.publish(claim.turnId, stored));
  }

  /** The events later than `after`, at most `limit`, and how the turn stood by then. */
  read(companyId: string, turnId: string, after: number, limit: number): Promise<LogPage> {
    return this.database.transaction(companyId, (tx) => this.rows.read(tx, turnId, after, limit));
  }
}
