import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { SkillCallRepository } from './skill-call.repository.js';
import type { TurnEvent, TurnEventBody } from './turn-event.js';
import { TurnEventRepository } from './turn-event.repository.js';
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
  async commit(claim: Claim, events: TurnEventBody[]): Promise<void> {
    await this.database.transaction(claim.companyId, (tx) => this.append(tx, claim, events));
  }

  /** Stores `events` as part of `tx`; they are shown once it is committed. Rejects with ClaimLost. */
  async append(tx: Transaction, claim: Claim, events: TurnEventBody[]): Promise<void> {
    if (events.length === 0) return;
    const stored = await this.rows.append(tx, claim, events, new Date());
    if (!stored) throw new ClaimLost(`The turn ${claim.turnId} is no longer attempt ${claim.attempt}’s.`);
    for (const event of stored) await this.skillCalls.apply(tx, event);
    tx.afterCommit(() => this.feed.publish(claim.turnId, stored));
  }

  /** The events later than `after`, at most `limit`, and whether the turn had ended by then. */
  read(
    companyId: string,
    turnId: string,
    after: number,
    limit: number,
  ): Promise<{ events: TurnEvent[]; ended: boolean }> {
    return this.database.transaction(companyId, (tx) => this.rows.read(tx, turnId, after, limit));
  }
}
