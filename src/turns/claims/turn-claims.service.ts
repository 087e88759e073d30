import { Injectable } from '@nestjs/common';

import { isUniqueViolation } from '../../database/connection-failure.js';
import { Database } from '../../database/database.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { Echo } from '../../llm/chat-model.js';
import { TurnLog } from '../log/turn-log.service.js';
import { TurnRecords } from '../log/turn-records.service.js';
import type { TurnWriter } from '../log/writing/turn-writer.js';
import type { Approval } from '../approvals/approval.entity.js';
import { type LastEntries, WaitingTurns } from '../approvals/waiting-turns.service.js';
import type { SkillCall } from '../skill-calls/skill-call.entity.js';
import type { ClaimedTurn } from './claimed-turn.js';
import type { TurnAddress } from './turn-address.js';
import { TurnEnds } from './turn-ends.service.js';
import type { TurnOutcome } from './turn-outcome.js';
import {
  type ApprovalAsked,
  type FinishReason,
  type PlanDecision,
  type TurnEntry,
  type TurnError,
  type Unanswered,
  type Usage,
  usageOf,
} from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { type Room, TurnRepository } from '../turn.repository.js';

/** A turn that has cost so many processes their life, or their lease, is not tried again. */
const MAX_LOST_LEASES = 3;

const leaseLost: TurnError = {
  code: 'LEASE_LOST',
  message: 'The answer was broken off several times. Please ask again.',
  retryable: true,
};

export type { LastEntries };

/** What the owner of a turn does to its row and its log. */
@Injectable()
export class TurnClaims {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly records: TurnRecords,
    private readonly ends: TurnEnds,
    private readonly waiting: WaitingTurns,
  ) {}

  /**
   * Takes the turn for a new attempt. Null: it is not its time, somebody else has it, it has ended, or it has been
   * tried often enough, which ends it.
   */
  async claim(address: TurnAddress, room: Room): Promise<ClaimedTurn | null> {
    const claimed = await this.take(address, room);
    if (!claimed || claimed.turn.lostLeases < MAX_LOST_LEASES) return claimed;
    const { turn } = claimed;
    const outcome: TurnOutcome = {
      ...(turn.stopReason
        ? { status: 'CANCELLED', finishReason: turn.stopReason, error: null }
        : { status: 'FAILED', finishReason: 'ERROR', error: leaseLost }),
      text: '',
      citations: [],
      usage: usageOf(turn),
    };
    await this.end(turn, outcome, { before: turn.lastSequence, rest: [], calls: [] });
    return null;
  }

  /** Turns that nobody attends to, companies in turn: that wait and could be run, or whose owner was not heard of. */
  listUnattended(limit: number, room: Room): Promise<TurnAddress[]> {
    return this.database.systemTransaction((tx) => this.turns.listUnattended(tx, limit, room));
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

  /** Null: it is gone. */
  find(tx: Transaction, turnId: string): Promise<Turn | null> {
    return this.turns.find(tx, turnId);
  }

  /** Of these turns, those whose questions nobody waits for an answer to, though there is none; by id. */
  async listUnanswered(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Unanswered>> {
    const found = ids.length === 0 ? [] : await this.turns.listUnanswered(tx, ids);
    return new Map(found.map(({ id, why }) => [id, why]));
  }

  /** The skill calls that earlier attempts got as far as, in the order of asking. */
  listSkillCalls(tx: Transaction, turnId: string): Promise<SkillCall[]> {
    return this.records.listSkillCalls(tx, turnId);
  }

  /** What models want back with the steps that earlier attempts took, by step. */
  listEchoes(tx: Transaction, turnId: string): Promise<Map<number, Echo>> {
    return this.records.listEchoes(tx, turnId);
  }

  /** What planners of earlier attempts decided, in order. */
  listDecisions(tx: Transaction, turnId: string): Promise<PlanDecision[]> {
    return this.log.listDecisions(tx, turnId);
  }

  /** What people were asked in the turn, and what they answered. */
  listApprovals(tx: Transaction, turnId: string): Promise<Approval[]> {
    return this.records.listApprovals(tx, turnId);
  }

  /** Ends the turn, after what its owner had left to tell, and does `alongside` with it. Rejects with ClaimLost. */
  end(
    turn: Turn,
    outcome: TurnOutcome,
    last: LastEntries,
    alongside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    return this.database.transaction(turn.companyId, async (tx) => {
      await together([this.ends.end(tx, turn, outcome, last), alongside(tx)]);
    });
  }

  /** Puts the turn back in line, after what its owner had left to tell: another process goes on with it at once. */
  handOver({ claim, turn }: ClaimedTurn, last: LastEntries, usage: Usage): Promise<void> {
    return this.database.transaction(turn.companyId, (tx) =>
      this.waiting.putBack(tx, { turn, claim, last, usage }),
    );
  }

  /**
   * Puts questions to people, after what the owner had left to tell: the turn waits for them without an owner. Null; or
   * why it is to be stopped instead.
   */
  park(
    { claim, turn }: ClaimedTurn,
    last: LastEntries,
    asked: readonly ApprovalAsked[],
    usage: Usage,
  ): Promise<FinishReason | null> {
    return this.database.transaction(turn.companyId, (tx) =>
      this.waiting.park(tx, { turn, claim, last, usage }, asked),
    );
  }

  /** The turn is in the background: its conversation can go on with the next. */
  freeConversation(turn: Turn): Promise<void> {
    return this.database.transaction(turn.companyId, (tx) => this.waiting.free(tx, turn));
  }

  private async take({ companyId, turnId }: TurnAddress, room: Room): Promise<ClaimedTurn | null> {
    try {
      return await this.database.transaction(companyId, async (tx) => {
        const turn = await this.turns.claim(tx, turnId, room);
        if (!turn) return null;
        const claim = { companyId, turnId, attempt: turn.attempt };
        const opening: TurnEntry[] = [{ type: 'status-changed', status: turn.status, detail: null }];
        // What an attempt that broke off had shown of its last step is told again; one that waited had shown nothing.
        if (turn.attempt > 1) opening.push(...(await this.log.withdrawal(tx, turnId)));
        await this.log.append(tx, claim, turn.lastSequence, opening);
        return { turn: { ...turn, lastSequence: turn.lastSequence + opening.length }, claim };
      });
    } catch (error) {
      // Another replica claimed another turn of the conversation at the same moment.
      if (isUniqueViolation(error)) return null;
      throw error;
    }
  }
}
