import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { isUniqueViolation } from '../../../platform/database/connection-failure.js';
import { Database } from '../../../platform/database/database.js';
import { TurnLog } from '../log/turn-log.service.js';
import type { LastEntries, TurnWriter } from '../log/turn-writer.js';
import {
  type TurnOutcome,
  type FinishReason,
  type InputAsked,
  type TurnEntry,
  type TurnFailure,
  type Unanswered,
  type Usage,
  usageOf,
} from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import { type Claimed, TurnClaimRepository } from './turn-claim.repository.js';
import type { ClaimedTurn, TurnAddress, Places, Room, UnattendedTurn } from './turn-claim.js';
import { TurnEnds } from './turn-ends.service.js';
import { WaitingTurns } from './waiting-turns.service.js';

/** A turn that lost its owner this often is not tried again, because it may be the cause. */
const MAX_LOST_LEASES = 3;

const leaseLost: TurnFailure = { code: 'LEASE_LOST', retryable: true };

type TakenTurn = ClaimedTurn & Claimed;

/** Fails fast when the database is busy: the turn stands still meanwhile, and the caller retries. */
const prompt = { prompt: true };

@Injectable()
export class TurnClaims {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly rows: TurnClaimRepository,
    private readonly log: TurnLog,
    private readonly ends: TurnEnds,
    private readonly waiting: WaitingTurns,
  ) {}

  /**
   * Null: it cannot run yet, another process has it, or it has ended. It ends here if it lost too many leases or the
   * asking member lost access.
   */
  async claim(address: TurnAddress, room: Room): Promise<ClaimedTurn | null> {
    const taken = await this.take(address, room);
    if (!taken) return null;
    const { isWanted, ...claimed } = taken;
    const { turn } = claimed;
    if (isWanted && turn.lostLeases < MAX_LOST_LEASES) return claimed;
    const stopReason = turn.stopReason ?? (isWanted ? null : 'CANCELLED');
    const outcome: TurnOutcome = {
      ...(stopReason
        ? { status: 'CANCELLED', finishReason: stopReason, error: null }
        : { status: 'FAILED', finishReason: 'ERROR', error: leaseLost }),
      text: '',
      parts: null,
      citations: [],
      usage: usageOf(turn),
    };
    await this.end(turn, outcome, { before: turn.lastSequence, rest: [], pieces: [], calls: [] });
    return null;
  }

  /** Turns that no process runs: ready to run, or with an expired lease. Companies take turns. */
  listUnattended(places: Places): Promise<UnattendedTurn[]> {
    return this.database.systemTransaction((tx) => this.rows.listUnattended(tx, places), prompt);
  }

  /** For an embedded database: no other process can exist, so all owners are gone. */
  async endLeasesOfTheDead(): Promise<void> {
    if (this.database.embedded) await this.database.systemTransaction((tx) => this.rows.endLeases(tx));
  }

  writer({ claim, turn, opening }: ClaimedTurn): TurnWriter {
    return this.log.writer(claim, turn, opening);
  }

  /** Null: the turn is gone. */
  find(tx: Transaction, turnId: string): Promise<Turn | null> {
    return this.turns.find(tx, { id: turnId });
  }

  /** Those of the turns that will get no answer, or are in the background without one. The reason by id. */
  async listUnanswered(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Unanswered>> {
    const found = ids.length === 0 ? [] : await this.turns.listUnanswered(tx, ids);
    return new Map(found.map(({ id, why }) => [id, why]));
  }

  /** Ends the turn after storing its last events. `alongside` runs in the same transaction. Rejects with ClaimLost. */
  end(
    turn: Turn,
    outcome: TurnOutcome,
    last: LastEntries,
    alongside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    return this.promptly(turn, async (tx) => {
      await awaitAll([this.ends.end(tx, turn, outcome, last), alongside(tx)]);
    });
  }

  handOver({ claim, turn }: ClaimedTurn, last: LastEntries, usage: Usage): Promise<void> {
    return this.promptly(turn, (tx) => this.waiting.putBack(tx, { turn, claim, last, usage }));
  }

  /** The turn waits without an owner. Returns the reason to stop it, if a stop was requested. */
  park(
    { claim, turn }: ClaimedTurn,
    last: LastEntries,
    asked: readonly InputAsked[],
    usage: Usage,
  ): Promise<FinishReason | null> {
    return this.promptly(turn, (tx) => this.waiting.park(tx, { turn, claim, last, usage }, asked));
  }

  freeConversation(turn: Turn): Promise<void> {
    return this.promptly(turn, (tx) => this.waiting.freeConversation(tx, turn));
  }

  private promptly<T>({ companyId }: Turn, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(companyId, work, prompt);
  }

  private async take(address: TurnAddress, room: Room): Promise<TakenTurn | null> {
    const { companyId, turnId } = address;
    const claimBeganAt = Date.now();
    const take = (tx: Transaction): Promise<TakenTurn | null> => this.takeIn(tx, turnId, room);
    try {
      const claimed = await this.database.transaction(companyId, take, prompt);
      return claimed && { ...claimed, claimBeganAt };
    } catch (error) {
      // Another replica claimed another turn of the conversation at the same moment.
      if (isUniqueViolation(error)) return null;
      throw error;
    }
  }

  private async takeIn(tx: Transaction, turnId: string, room: Room): Promise<TakenTurn | null> {
    const claimed = await this.rows.claim(tx, turnId, room);
    if (!claimed) return null;
    const turn = await this.turns.get(tx, turnId);
    const claim = { companyId: tx.companyId, turnId, attempt: turn.attempt };
    const opening: TurnEntry[] = [{ type: 'status-changed', status: turn.status, detail: null }];
    // Shown text of an interrupted attempt's last step is withdrawn, because that step runs again.
    if (turn.attempt > 1) opening.push(...(await this.log.withdrawShownText(tx, turnId)));
    await this.log.append(tx, claim, turn.lastSequence, opening);
    return { turn: { ...turn, lastSequence: turn.lastSequence + opening.length }, claim, ...claimed };
  }
}
