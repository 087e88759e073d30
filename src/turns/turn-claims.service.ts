import { Injectable } from '@nestjs/common';

import { sqlStateOf } from '../database/connection-failure.js';
import { Database } from '../database/database.js';
import { type TurnOutcome, TurnEnds } from './turn-ends.service.js';
import { type FinishReason, noUsage, type TurnError, type TurnEventBody } from './turn-event.js';
import { TurnLog } from './turn-log.service.js';
import { TurnQueue } from './turn-queue.service.js';
import type { TurnAddress } from './run-turn.js';
import type { Turn } from './turn.entity.js';
import { type Claim, TurnRepository } from './turn.repository.js';

const UNIQUE_VIOLATION = '23505';

/** A turn that has cost so many processes their life, or their lease, is not tried again. */
const MAX_ATTEMPTS = 3;

const leaseLost: TurnError = {
  code: 'LEASE_LOST',
  message: 'The answer was broken off several times. Please ask again.',
  retryable: true,
};

/** A turn as its owner holds it. */
export interface ClaimedTurn {
  turn: Turn;
  claim: Claim;
}

/** What the owner of a turn does to its row and its log. */
@Injectable()
export class TurnClaims {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly ends: TurnEnds,
    private readonly queue: TurnQueue,
  ) {}

  /**
   * Takes the turn for a new attempt. Null: it is not its time, somebody else has it, it has ended, or it has been
   * tried often enough, which ends it.
   */
  async claim(address: TurnAddress): Promise<ClaimedTurn | null> {
    const claimed = await this.take(address);
    if (!claimed || claimed.turn.attempt <= MAX_ATTEMPTS) return claimed;
    const { stopReason } = claimed.turn;
    const outcome: TurnOutcome = {
      ...(stopReason
        ? { status: 'CANCELLED', finishReason: stopReason, error: null }
        : { status: 'FAILED', finishReason: 'ERROR', error: leaseLost }),
      text: '',
      usage: noUsage,
    };
    await this.end(claimed, outcome, []);
    return null;
  }

  private async take({ companyId, turnId }: TurnAddress): Promise<ClaimedTurn | null> {
    try {
      return await this.database.transaction(companyId, async (tx) => {
        const turn = await this.turns.claim(tx, turnId);
        if (!turn) return null;
        const claim = { companyId, turnId, attempt: turn.attempt };
        const opening: TurnEventBody[] = [{ type: 'status-changed', status: 'RUNNING', detail: null }];
        // What an attempt that broke off had shown is not the answer.
        if (turn.attempt > 1) opening.push({ type: 'text-reset', cause: 'RETRIED' });
        await this.log.append(tx, claim, opening);
        return { turn, claim };
      });
    } catch (error) {
      // Another replica claimed another turn of the conversation at the same moment.
      if (sqlStateOf(error) === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** Keeps the turn for another lease. Null: it is no longer this attempt's. */
  renew(claim: Claim): Promise<{ stopReason: FinishReason | null } | null> {
    return this.database.transaction(claim.companyId, (tx) => this.turns.renew(tx, claim));
  }

  /** Stores and shows events. Rejects with ClaimLost. */
  commit(claim: Claim, events: TurnEventBody[]): Promise<void> {
    return this.log.commit(claim, events);
  }

  /** Ends the turn, after `lastEvents`. Rejects with ClaimLost. */
  end({ claim, turn }: ClaimedTurn, outcome: TurnOutcome, lastEvents: TurnEventBody[]): Promise<void> {
    return this.log.write(claim, (tx) => this.ends.end(tx, turn, outcome, lastEvents));
  }

  /** Looks again once the present owner's lease can be over; a turn that has ended needs nobody to look after it. */
  lookAgain({ companyId, turnId }: TurnAddress): Promise<void> {
    return this.database.transaction(companyId, async (tx) => {
      const seconds = await this.turns.secondsToNextLook(tx, turnId);
      if (seconds !== null) await this.queue.lookAfter(tx, turnId, seconds);
    });
  }
}
