import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../platform/database/transaction.js';
import { ConversationsService } from '../../conversations.service.js';
import { ApprovalQuestions, requestOf } from '../approvals/approval-questions.service.js';
import type { AnswerPieces } from '../log/ended-replay.js';
import { TurnLog } from '../log/turn-log.service.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import type { ApprovalAsked, FinishReason, TurnEntry, Usage } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import type { Claim } from './turn-claim.js';
import { TurnQueue } from './turn-queue.service.js';

/** Events that the owner has not stored yet, and the sequence number before them. */
export interface LastEntries {
  before: number;
  rest: readonly TurnEntry[];
  /** The answer's pieces, with those of `rest`. */
  pieces: AnswerPieces;
  calls: readonly StoredModelCall[];
  /** Left out: it is not known. */
  hasEchoes?: boolean;
}

/** A turn whose owner gives it up without ending it. */
interface ReleasedTurn {
  turn: Turn;
  claim: Claim;
  last: LastEntries;
  usage: Usage;
}

/**
 * Turns between two owners: those that wait for people, and those that are handed over. Their whole state is in rows, so
 * that a restart loses neither a question nor its answer, and any process can continue them.
 */
@Injectable()
export class WaitingTurns {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly queue: TurnQueue,
    private readonly questions: ApprovalQuestions,
  ) {}

  /** Puts the turn back in the queue after storing its last events. */
  async putBack(tx: Transaction, left: ReleasedTurn): Promise<void> {
    const { turn } = left;
    const status = turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    await this.storeLastEntries(tx, left, [{ type: 'status-changed', status, detail: 'HANDED_OVER' }]);
    await this.turns.putBack(tx, left.claim);
    await this.queue.hint(tx, turn.id);
  }

  /**
   * Stores the last events and asks people: the turn waits for their answers. Returns the reason to stop the turn if
   * somebody has asked for that; else null.
   */
  async park(
    tx: Transaction,
    left: ReleasedTurn,
    asked: readonly ApprovalAsked[],
  ): Promise<FinishReason | null> {
    const { turn } = left;
    await this.conversations.hold(tx, turn.conversationId);
    const standing = await this.turns.lock(tx, turn.id);
    if (standing?.stopReason) return standing.stopReason;
    const approvals = await this.questions.ask(tx, turn, asked);
    await this.storeLastEntries(tx, left, [
      ...approvals.map((one): TurnEntry => ({ type: 'approval-requested', approval: requestOf(one) })),
      { type: 'status-changed', status: 'WAITING_FOR_APPROVAL', detail: null },
    ]);
    await this.turns.park(tx, left.claim);
    await this.conversations.announce(tx, turn);
    // Last, as at the end of a turn: notifying locks members' rows, which everybody locks after those of usage.
    await this.questions.notifyApprovers(tx, turn, approvals);
    return null;
  }

  /** Lets the conversation continue with its next turn, as this one is in the background. */
  async freeConversation(tx: Transaction, turn: Turn): Promise<void> {
    await this.conversations.hold(tx, turn.conversationId);
    await this.queue.advance(tx, turn.conversationId, turn.id);
    await this.conversations.announce(tx, turn);
  }

  /** Locks the turn, after its conversation as everywhere. Null: it does not wait for approval any more. */
  async hold(tx: Transaction, turnId: string): Promise<Turn | null> {
    const seen = await this.turns.find(tx, turnId);
    if (!seen) return null;
    await this.conversations.hold(tx, seen.conversationId);
    const turn = await this.turns.lock(tx, turnId);
    return turn?.status === 'WAITING_FOR_APPROVAL' ? turn : null;
  }

  async resume(tx: Transaction, turn: Turn, detail: string): Promise<void> {
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const status = turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    await this.log.append(tx, claim, turn.lastSequence, [{ type: 'status-changed', status, detail }]);
    await this.turns.unpark(tx, turn.id);
    await this.conversations.announce(tx, turn);
    await this.queue.hint(tx, turn.id);
    await this.questions.settleNotifications(tx, turn);
  }

  private async storeLastEntries(
    tx: Transaction,
    { claim, last: { before, rest, calls }, usage }: ReleasedTurn,
    entries: readonly TurnEntry[],
  ): Promise<void> {
    await this.log.append(tx, claim, before, [...rest, ...entries], calls);
    await this.turns.keepUsage(tx, claim, usage);
  }
}
