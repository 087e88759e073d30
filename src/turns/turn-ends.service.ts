import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../conversations/conversations.service.js';
import type { MessageStatus } from '../conversations/message.entity.js';
import type { Transaction } from '../database/transaction.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { turnTopics } from './run-turn.js';
import { SkillCallRepository } from './skill-call.repository.js';
import type { FinishReason, TerminalStatus, TurnError, TurnEventBody, Usage } from './turn-event.js';
import { isTerminal, noUsage } from './turn-event.js';
import { TurnLog } from './turn-log.service.js';
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
   * Ends `turn` in `tx`, after `lastEvents`. Rejects with ClaimLost when it is another attempt's by now. The caller
   * holds no turn but through `stopAll`: see there.
   */
  async end(
    tx: Transaction,
    turn: Turn,
    outcome: TurnOutcome,
    lastEvents: TurnEventBody[] = [],
  ): Promise<void> {
    await this.conversations.hold(tx, turn.conversationId);
    const claim: Claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const { text, ...end } = outcome;
    const messageId = text === '' ? null : turn.answerId;
    const finishedAt = new Date();
    await this.log.append(tx, claim, [...lastEvents, { type: 'turn-done', ...end, messageId }]);
    if (messageId !== null) {
      await this.conversations.addMessage(tx, {
        id: messageId,
        conversationId: turn.conversationId,
        turnId: turn.id,
        role: 'ASSISTANT',
        status: messageStatuses[end.status],
        text,
        createdAt: finishedAt,
      });
    }
    await this.skillCalls.closeOpen(tx, turn.id, finishedAt);
    await this.turns.finish(tx, claim, { ...end, finishedAt });
    await this.queue.advance(tx, turn.conversationId);
  }

  /**
   * Has the turns end early: at once those that wait, the others as soon as their owner hears of it. Whoever changes
   * more than one row holds the conversation first: taken in any other order, a question that interrupts and the end
   * of the turn it interrupts would wait for each other. It also keeps a new question and the end of the turn before
   * it from missing each other.
   */
  async stopAll(tx: Transaction, turns: readonly Turn[], reason: FinishReason): Promise<void> {
    for (const id of new Set(turns.map(({ conversationId }) => conversationId))) {
      await this.conversations.hold(tx, id);
    }
    // Those that wait first, or the end of the one under way would set the next one going.
    for (const { id } of turns.toReversed()) {
      const turn = await this.turns.lock(tx, id);
      if (!turn || isTerminal(turn.status)) continue;
      if (turn.status === 'QUEUED') await this.endUnanswered(tx, turn, reason);
      else await this.askToStop(tx, turn, reason);
    }
  }

  /** Ends what is left of the turns here and now; an owner that still runs one finds its claim lost. */
  async endAll(tx: Transaction, turns: readonly Turn[], reason: FinishReason): Promise<void> {
    await this.stopAll(tx, turns, reason);
    for (const { id } of turns) {
      const turn = await this.turns.lock(tx, id);
      if (turn && !isTerminal(turn.status)) await this.endUnanswered(tx, turn, reason);
    }
  }

  /** A turn of which nothing has been said, or nothing that this process knows of: what was shown is withdrawn. */
  private endUnanswered(tx: Transaction, turn: Turn, finishReason: FinishReason): Promise<void> {
    const withdrawn: TurnEventBody[] = turn.attempt > 0 ? [{ type: 'text-reset', cause: 'RETRIED' }] : [];
    const outcome = { status: 'CANCELLED', finishReason, text: '', usage: noUsage, error: null } as const;
    return this.end(tx, turn, outcome, withdrawn);
  }

  private async askToStop(tx: Transaction, turn: Turn, reason: FinishReason): Promise<void> {
    await this.turns.requestStop(tx, turn.id, reason);
    const hint = JSON.stringify({ companyId: tx.companyId, turnId: turn.id, reason });
    tx.afterCommit(() => this.pubSub.publish(turnTopics.stop, hint));
  }
}
