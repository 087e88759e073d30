import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../conversations/conversations.service.js';
import type { MessageStatus } from '../conversations/message.entity.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { TurnLog } from './log/turn-log.service.js';
import { SkillCallRepository } from './skill-call.repository.js';
import { turnTopics } from './turn-address.js';
import type { FinishReason, TerminalStatus, TurnEntry, TurnError, Usage } from './turn-event.js';
import { isTerminal, usageOf } from './turn-event.js';
import { TurnQueue } from './turn-queue.service.js';
import type { Turn } from './turn.entity.js';
import { type Claim, TurnRepository } from './turn.repository.js';

/** How a turn came out. `text` is the answer as far as it got. */
export interface TurnOutcome {
  status: TerminalStatus;
  finishReason: FinishReason;
  text: string;
  usage: Usage;
  error: TurnError | null;
}

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
    private readonly skillCalls: SkillCallRepository,
    private readonly conversations: ConversationsService,
    private readonly queue: TurnQueue,
    private readonly pubSub: PubSub,
  ) {}

  /**
   * Ends `turn` in `tx`, after what was left to tell. Rejects with ClaimLost when it is another attempt's by now. The
   * caller holds no turn but through `stopAll`: see there.
   */
  async end(
    tx: Transaction,
    turn: Turn,
    outcome: TurnOutcome,
    { before, rest }: { before: number; rest: readonly TurnEntry[] },
  ): Promise<void> {
    const finishedAt = new Date();
    const claim: Claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const { text, ...end } = outcome;
    const messageId = text === '' ? null : turn.answerId;
    // In this order: the conversation is held before the turn is, and the log tells whether the turn is ours to end.
    await together([
      this.conversations.hold(tx, turn.conversationId, finishedAt),
      this.log.append(tx, claim, before, [...rest, { type: 'turn-done', ...end, messageId }]),
      messageId === null ? null : this.addAnswer(tx, turn, outcome, finishedAt),
      // A turn that is answered has waited for every call that it asked for.
      end.finishReason === 'ANSWERED' ? null : this.skillCalls.closeOpen(tx, turn.id, finishedAt),
      this.turns.finish(tx, claim, { ...end, finishedAt }),
      this.queue.advance(tx, turn.conversationId, turn.id),
    ]);
  }

  private addAnswer(
    tx: Transaction,
    { answerId, conversationId, id }: Turn,
    { text, status }: TurnOutcome,
    createdAt: Date,
  ): Promise<void> {
    return this.conversations.addMessage(tx, {
      id: answerId,
      conversationId,
      turnId: id,
      role: 'ASSISTANT',
      status: messageStatuses[status],
      text,
      createdAt,
    });
  }

  /**
   * Has the turns end early: at once those that wait, the others as soon as their owner hears of it. Whoever changes
   * more than one row holds the conversation first: taken in any other order, a question that interrupts and the end
   * of the turn it interrupts would wait for each other. It also keeps a new question and the end of the turn before
   * it from missing each other.
   */
  async stopAll(tx: Transaction, turns: readonly Turn[], reason: FinishReason): Promise<void> {
    for (const id of new Set(turns.map(({ conversationId }) => conversationId))) {
      await this.conversations.hold(tx, id, new Date());
    }
    // Those that wait first, or the end of the one under way would set the next one going.
    for (const { id } of turns.toReversed()) {
      const turn = await this.turns.lock(tx, id);
      if (!turn || isTerminal(turn.status)) continue;
      if (turn.status === 'QUEUED') await this.endUnanswered(tx, turn, reason);
      else await this.askToStop(tx, turn, reason);
    }
  }

  /**
   * Ends what is left of a conversation's turns here and now, and removes the logs of all; an owner that still runs
   * one finds its claim lost.
   */
  async clear(tx: Transaction, conversationId: string, reason: FinishReason): Promise<void> {
    const turns = await this.turns.listUnfinished(tx, [conversationId]);
    await this.stopAll(tx, turns, reason);
    for (const { id } of turns) {
      const turn = await this.turns.lock(tx, id);
      if (turn && !isTerminal(turn.status)) await this.endUnanswered(tx, turn, reason);
    }
    await this.log.deleteOf(tx, conversationId);
  }

  /** A turn of which nothing has been said, or nothing that this process knows of: what was shown is withdrawn. */
  private endUnanswered(tx: Transaction, turn: Turn, finishReason: FinishReason): Promise<void> {
    const rest: TurnEntry[] = turn.attempt > 0 ? [{ type: 'text-reset', cause: 'RETRIED' }] : [];
    const outcome = {
      status: 'CANCELLED',
      finishReason,
      text: '',
      usage: usageOf(turn),
      error: null,
    } as const;
    return this.end(tx, turn, outcome, { before: turn.lastSequence, rest });
  }

  private async askToStop(tx: Transaction, turn: Turn, reason: FinishReason): Promise<void> {
    await this.turns.requestStop(tx, turn.id, reason);
    await this.pubSub.publish(tx, turnTopics.stop, JSON.stringify({ turnId: turn.id, reason }));
  }
}
