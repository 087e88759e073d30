import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { TurnLog } from '../log/turn-log.service.js';
import { turnTopics } from './turn-address.js';
import { TurnEnds } from './turn-ends.service.js';
import type { TurnOutcome } from './turn-outcome.js';
import { type FinishReason, isTerminal, usageOf } from '../turn-event.js';
import { TurnHooks } from '../turn-hooks.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';

/** Whether somebody runs it, or did when last heard of. One that waits in line, or for people, is nobody's. */
const isOwned = ({ status, leaseUntil }: Turn): boolean =>
  status === 'RUNNING' || (status === 'IN_BACKGROUND' && leaseUntil !== null);

/** Has turns end early. */
@Injectable()
export class TurnStops {
  constructor(
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly conversations: ConversationsService,
    private readonly ends: TurnEnds,
    private readonly pubSub: PubSub,
    private readonly hooks: TurnHooks,
  ) {}

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
      if (isOwned(turn)) await this.askToStop(tx, turn, reason);
      else await this.endUnanswered(tx, turn, reason);
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
    await this.hooks.conversationDeleted(tx, conversationId);
    await this.log.deleteOf(tx, conversationId);
  }

  /** A turn of which nothing has been said, or nothing that this process knows of: what was shown is withdrawn. */
  private async endUnanswered(tx: Transaction, turn: Turn, finishReason: FinishReason): Promise<void> {
    const rest = turn.attempt > 0 ? await this.log.withdrawal(tx, turn.id) : [];
    const outcome: TurnOutcome = {
      status: 'CANCELLED',
      finishReason,
      text: '',
      citations: [],
      usage: usageOf(turn),
      error: null,
    };
    await this.ends.end(tx, turn, outcome, { before: turn.lastSequence, rest });
  }

  private async askToStop(tx: Transaction, turn: Turn, reason: FinishReason): Promise<void> {
    await this.turns.requestStop(tx, turn.id, reason);
    await this.pubSub.publish(tx, turnTopics.stop, JSON.stringify({ turnId: turn.id, reason }));
  }
}
