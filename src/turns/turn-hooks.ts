import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import type { Approval } from './approvals/approval.entity.js';
import type { TurnOutcome } from './claims/turn-outcome.js';
import type { Turn } from './turn.entity.js';

/** What a person is asked before a skill is carried out, as far as others want to know. */
export type AskedApproval = Pick<Approval, 'id' | 'skill' | 'askerMayApprove'>;

type Ended = (tx: Transaction, turn: Turn, outcome: TurnOutcome) => Promise<void>;
type ConversationDeleted = (tx: Transaction, conversationId: string) => Promise<void>;
type ApprovalsClosed = (tx: Transaction, turn: Turn) => Promise<void>;
type ApprovalRequested = (tx: Transaction, turn: Turn, approvals: readonly AskedApproval[]) => Promise<void>;

/**
 * The way up to those who want to know what becomes of turns, which turns know nothing of. They are told inside the
 * transaction, so that what they write is true together with it; whatever they reject with fails it.
 */
@Injectable()
export class TurnHooks {
  private readonly endedHandlers: Ended[] = [];
  private readonly approvalHandlers: ApprovalRequested[] = [];
  private readonly approvalsClosedHandlers: ApprovalsClosed[] = [];
  private readonly deletedHandlers: ConversationDeleted[] = [];

  onEnded(handler: Ended): void {
    this.endedHandlers.push(handler);
  }

  onApprovalRequested(handler: ApprovalRequested): void {
    this.approvalHandlers.push(handler);
  }

  onApprovalsClosed(handler: ApprovalsClosed): void {
    this.approvalsClosedHandlers.push(handler);
  }

  onConversationDeleted(handler: ConversationDeleted): void {
    this.deletedHandlers.push(handler);
  }

  /** To be called before a conversation is deleted, while its turns are still there. */
  async conversationDeleted(tx: Transaction, conversationId: string): Promise<void> {
    for (const handler of this.deletedHandlers) await handler(tx, conversationId);
  }

  /** To be called at the end of a turn, whatever its outcome. */
  async ended(tx: Transaction, turn: Turn, outcome: TurnOutcome): Promise<void> {
    for (const handler of this.endedHandlers) await handler(tx, turn, outcome);
  }

  /** To be called when a turn begins to wait for an answer to `approvals`. */
  async approvalRequested(tx: Transaction, turn: Turn, approvals: readonly AskedApproval[]): Promise<void> {
    for (const handler of this.approvalHandlers) await handler(tx, turn, approvals);
  }

  /** To be called when a turn goes on because nothing that it waited for is open any more. */
  async approvalsClosed(tx: Transaction, turn: Turn): Promise<void> {
    for (const handler of this.approvalsClosedHandlers) await handler(tx, turn);
  }
}
