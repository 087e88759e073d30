import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Transaction } from '../../database/transaction.js';
import { TurnLog } from '../log/turn-log.service.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import type { ApprovalAsked, FinishReason, TurnEntry, Usage } from '../turn-event.js';
import { TurnQueue } from '../claims/turn-queue.service.js';
import type { Turn } from '../turn.entity.js';
import { type Claim, TurnRepository } from '../turn.repository.js';
import { ApprovalQuestions, requestOf } from './approval-questions.service.js';

/** What the owner has not had stored yet, and the number that it follows. */
export interface LastEntries {
  before: number;
  rest: readonly TurnEntry[];
  calls: readonly StoredModelCall[];
}

/** A turn as its owner leaves it that does not end it. */
export interface LeftTurn {
  turn: Turn;
  claim: Claim;
  last: LastEntries;
  usage: Usage;
}

/**
 * Turns between two owners: those that wait for people, and those that are handed over. All that they are is in their
 * rows, so that a restart loses neither a question nor its answer; whoever runs them then goes on with both.
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

  /** Puts the turn back in line, after what its owner had left to tell. */
  async putBack(tx: Transaction, left: LeftTurn): Promise<void> {
    const { turn } = left;
    const status = turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    await this.leave(tx, left, [{ type: 'status-changed', status, detail: 'HANDED_OVER' }]);
    await this.turns.putBack(tx, left.claim);
    await this.queue.hint(tx, turn.id);
  }

  /**
   * Puts questions to people, after what the owner had left to tell: the turn waits for them. Null; or why it is to be
   * stopped instead.
   */
  async park(tx: Transaction, left: LeftTurn, asked: readonly ApprovalAsked[]): Promise<FinishReason | null> {
    const { turn } = left;
    await this.conversations.hold(tx, turn.conversationId);
    const standing = await this.turns.lock(tx, turn.id);
    if (standing?.stopReason) return standing.stopReason;
    const approvals = await this.questions.ask(tx, turn, asked);
    await this.leave(tx, left, [
      ...approvals.map((one): TurnEntry => ({ type: 'approval-requested', approval: requestOf(one) })),
      { type: 'status-changed', status: 'WAITING_FOR_APPROVAL', detail: null },
    ]);
    await this.turns.park(tx, left.claim);
    // Last, as at the end of a turn: whoever is told is held, and so are the usage's rows before that.
    await this.questions.tell(tx, turn, approvals);
    return null;
  }

  /** The turn is in the background: its conversation can go on with the next. */
  async free(tx: Transaction, { conversationId, id }: Turn): Promise<void> {
    await this.conversations.hold(tx, conversationId);
    await this.queue.advance(tx, conversationId, id);
  }

  /** The turn, held in the order in which everybody takes these locks; null: it does not wait any more. */
  async hold(tx: Transaction, turnId: string): Promise<Turn | null> {
    const seen = await this.turns.find(tx, turnId);
    if (!seen) return null;
    await this.conversations.hold(tx, seen.conversationId);
    const turn = await this.turns.lock(tx, turnId);
    return turn?.status === 'WAITING_FOR_APPROVAL' ? turn : null;
  }

  async goOn(tx: Transaction, turn: Turn, detail: string): Promise<void> {
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const status = turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    await this.log.append(tx, claim, turn.lastSequence, [{ type: 'status-changed', status, detail }]);
    await this.turns.unpark(tx, turn.id);
    await this.queue.hint(tx, turn.id);
    await this.questions.tellClosed(tx, turn);
  }

  private async leave(
    tx: Transaction,
    { claim, last: { before, rest, calls }, usage }: LeftTurn,
    entries: readonly TurnEntry[],
  ): Promise<void> {
    await this.log.append(tx, claim, before, [...rest, ...entries], calls);
    await this.turns.keepUsage(tx, claim, usage);
  }
}
