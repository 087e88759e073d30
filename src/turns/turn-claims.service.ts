import { Injectable } from '@nestjs/common';

import { sqlStateOf } from '../database/connection-failure.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { TurnLog } from './log/turn-log.service.js';
import type { TurnWriter } from './log/turn-writer.js';
import type { SkillCall } from './skill-call.entity.js';
import { SkillCallRepository } from './skill-call.repository.js';
import type { TurnAddress } from './turn-address.js';
import { type TurnOutcome, TurnEnds } from './turn-ends.service.js';
import { type TurnEntry, type TurnError, usageOf } from './turn-event.js';
import { TurnQueue } from './turn-queue.service.js';
import type { Turn } from './turn.entity.js';
import { type Claim, TurnRepository } from './turn.repository.js';

const UNIQUE_VIOLATION = '23505';

/** A turn that has cost so many processes their life, or their lease, is not tried again. */
const MAX_LOST_LEASES = 3;

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
    private readonly skillCalls: SkillCallRepository,
    private readonly ends: TurnEnds,
    private readonly queue: TurnQueue,
  ) {}

  /**
   * Takes the turn for a new attempt. Null: it is not its time, somebody else has it, it has ended, or it has been
   * tried often enough, which ends it.
   */
  async claim(address: TurnAddress): Promise<ClaimedTurn | null> {
    const claimed = await this.take(address);
    if (!claimed || claimed.turn.lostLeases < MAX_LOST_LEASES) return claimed;
    const { turn } = claimed;
    const outcome: TurnOutcome = {
      ...(turn.stopReason
        ? { status: 'CANCELLED', finishReason: turn.stopReason, error: null }
        : { status: 'FAILED', finishReason: 'ERROR', error: leaseLost }),
      text: '',
      usage: usageOf(turn),
    };
    await this.end(turn, outcome, { before: turn.lastSequence, rest: [] });
    return null;
  }

  /** Turns that nobody attends to, oldest first: that wait and could be run, or whose owner was not heard of. */
  listUnattended(limit: number): Promise<TurnAddress[]> {
    return this.database.systemTransaction((tx) => this.turns.listUnattended(tx, limit));
  }

  /**
   * Ends all leases where this process is the only one that there can be: whoever had one is gone, and nobody has to
   * wait for it.
   */
  async endLeasesOfTheDead(): Promise<void> {
    if (this.database.embedded) await this.database.systemTransaction((tx) => this.turns.endLeases(tx));
  }

  /** For the owner of the turn, as it was claimed: what it writes is stored and shown. */
  writer({ claim, turn }: ClaimedTurn): TurnWriter {
    return this.log.writer(claim, turn.lastSequence);
  }

  /** The skill calls that earlier attempts got as far as, in the order of asking. */
  listSkillCalls(tx: Transaction, turnId: string): Promise<SkillCall[]> {
    return this.skillCalls.list(tx, [turnId]);
  }

  /** Ends the turn, after what its owner had left to tell. Rejects with ClaimLost. */
  end(turn: Turn, outcome: TurnOutcome, last: LastEntries): Promise<void> {
    return this.database.transaction(turn.companyId, (tx) => this.ends.end(tx, turn, outcome, last));
  }

  /** Puts the turn back in line, after what its owner had left to tell: another process goes on with it at once. */
  async handOver({ claim, turn }: ClaimedTurn, { before, rest }: LastEntries): Promise<void> {
    await this.database.transaction(turn.companyId, async (tx) => {
      const back: TurnEntry = { type: 'status-changed', status: 'QUEUED', detail: 'HANDED_OVER' };
      await this.log.append(tx, claim, before, [...rest, back]);
      await this.turns.putBack(tx, claim);
      await this.queue.hint(tx, turn.id);
    });
  }

  private async take({ companyId, turnId }: TurnAddress): Promise<ClaimedTurn | null> {
    try {
      return await this.database.transaction(companyId, async (tx) => {
        const turn = await this.turns.claim(tx, turnId);
        if (!turn) return null;
        const claim = { companyId, turnId, attempt: turn.attempt };
        const opening: TurnEntry[] = [{ type: 'status-changed', status: 'RUNNING', detail: null }];
        // What an attempt that broke off had shown of its last step is told again.
        if (turn.attempt > 1) opening.push({ type: 'text-reset', cause: 'RETRIED' });
        await this.log.append(tx, claim, turn.lastSequence, opening);
        return { turn: { ...turn, lastSequence: turn.lastSequence + opening.length }, claim };
      });
    } catch (error) {
      // Another replica claimed another turn of the conversation at the same moment.
      if (sqlStateOf(error) === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }
}

/** What the owner has not had stored yet, and the number that it follows. */
export interface LastEntries {
  before: number;
  rest: readonly TurnEntry[];
}
