import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../../conversations/conversations.service.js';
import type { MessageStatus } from '../../conversations/message.entity.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { TurnLog } from '../log/turn-log.service.js';
import { TurnRecords } from '../log/turn-records.service.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import type { TerminalStatus, TurnEntry } from '../turn-event.js';
import { TurnHooks } from '../turn-hooks.js';
import type { TurnOutcome } from './turn-outcome.js';
import { TurnQueue } from './turn-queue.service.js';
import type { Turn } from '../turn.entity.js';
import { type Claim, TurnRepository } from '../turn.repository.js';

const messageStatuses: Record<TerminalStatus, MessageStatus> = {
  COMPLETED: 'COMPLETE',
  CANCELLED: 'INTERRUPTED',
  FAILED: 'FAILED',
};

/** Ends turns: the answer, the usage, the status and the last events become true together. */
@Injectable()
export class TurnEnds {
  constructor(
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly records: TurnRecords,
    private readonly conversations: ConversationsService,
    private readonly queue: TurnQueue,
    private readonly hooks: TurnHooks,
  ) {}

  /**
   * Ends `turn` in `tx`, after what was left to tell. Rejects with ClaimLost when it is another attempt's by now. The
   * caller holds no turn but through `TurnStops.stopAll`: see there.
   */
  async end(
    tx: Transaction,
    turn: Turn,
    outcome: TurnOutcome,
    {
      before,
      rest,
      calls = [],
    }: { before: number; rest: readonly TurnEntry[]; calls?: readonly StoredModelCall[] },
  ): Promise<void> {
    const finishedAt = new Date();
    const claim: Claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const { text, citations: _citations, ...end } = outcome;
    const messageId = text === '' ? null : turn.answerId;
    // In this order: the conversation is held before the turn is, and the log tells whether the turn is ours to end.
    await together([
      messageId === null
        ? this.conversations.hold(tx, turn.conversationId)
        : this.conversations.moveUp(tx, turn.conversationId, finishedAt),
      this.log.append(tx, claim, before, [...rest, { type: 'turn-done', ...end, messageId }], calls),
      messageId === null ? null : this.addAnswer(tx, turn, outcome, finishedAt),
      // Taken back before anybody went into it: it is not to come up in other conversations.
      messageId === null && outcome.finishReason === 'CANCELLED'
        ? this.conversations.withhold(tx, [turn.questionId])
        : null,
      this.records.close(tx, turn, end, finishedAt),
      this.turns.finish(tx, claim, { ...end, finishedAt }),
      this.queue.advance(tx, turn.conversationId, turn.id),
      this.hooks.ended(tx, turn, outcome),
    ]);
  }

  private addAnswer(
    tx: Transaction,
    { answerId, questionId, conversationId, id }: Turn,
    { text, status, citations }: TurnOutcome,
    createdAt: Date,
  ): Promise<void> {
    return this.conversations.addMessage(tx, {
      id: answerId,
      questionId,
      conversationId,
      turnId: id,
      role: 'ASSISTANT',
      status: messageStatuses[status],
      text,
      citations,
      createdAt,
    });
  }
}
