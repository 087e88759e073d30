import { Injectable } from '@nestjs/common';

import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { ConversationsService } from '../../conversations.service.js';
import type { MessageStatus } from '../../message.repository.js';
import { TurnLog } from '../log/turn-log.service.js';
import { TurnRecords } from '../log/turn-records.service.js';
import type { LastEntries } from '../log/turn-writer.js';
import {
  type FinishReason,
  isTerminal,
  isWaiting,
  type TerminalStatus,
  type TurnError,
  type TurnOutcome,
  usageOf,
} from '../turn-event.js';
import { answererOf, answersAnew, type Turn } from '../turn.entity.js';
import { errorIn } from '../turn-failure.js';
import { TurnRepository } from '../turn.repository.js';
import { turnEnded, turnsSuperseded } from '../turns.events.js';
import { type TurnEnd, TurnClaimRepository } from './turn-claim.repository.js';
import type { Claim } from './turn-claim.js';
import { TurnQueue } from './turn-queue.service.js';

const messageStatuses: Record<TerminalStatus, MessageStatus> = {
  COMPLETED: 'COMPLETE',
  CANCELLED: 'INTERRUPTED',
  FAILED: 'FAILED',
};

/** Ends turns: answer, usage, status and last events are stored in one transaction. */
@Injectable()
export class TurnEnds {
  constructor(
    private readonly turns: TurnRepository,
    private readonly claims: TurnClaimRepository,
    private readonly log: TurnLog,
    private readonly records: TurnRecords,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly queue: TurnQueue,
    private readonly events: DomainEvents,
  ) {
    events.on(turnsSuperseded, (tx, turns) => this.stopAll(tx, turns, 'SUPERSEDED'));
  }

  /**
   * Ends the turn after its last events. Errors are reported in the assistant's language. Rejects with ClaimLost. The
   * caller must not hold a turn's row, except through `stopAll`.
   */
  async end(
    tx: Transaction,
    turn: Turn,
    reached: TurnOutcome,
    { before, rest, pieces, calls, hasEchoes = true }: LastEntries,
  ): Promise<void> {
    const outcome = { ...reached, error: await this.errorOf(tx, turn, reached) };
    const finishedAt = new Date();
    const claim: Claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const { text, citations: _citations, parts: _parts, ...end } = outcome;
    const messageId = text === '' ? null : turn.answerId;
    // The order matters: the conversation is locked before the turn, and appending to the log checks the claim.
    await awaitAll([
      messageId === null
        ? this.turns.holdConversation(tx, turn.conversationId)
        : this.addAnswer(tx, turn, outcome, finishedAt),
      this.log.append(tx, claim, before, [...rest, { type: 'turn-done', ...end, messageId }], calls),
      // Nobody wanted an answer, so the question is not recalled in other conversations.
      messageId === null && outcome.finishReason === 'CANCELLED' && !answersAnew(turn)
        ? this.conversations.withdraw(tx, turn)
        : null,
      this.records.close(tx, turn, { finishReason: end.finishReason, hasEchoes, messageId }, finishedAt),
      this.finish(tx, turn, { ...end, finishedAt, answerPieces: pieces }),
      this.events.emit(tx, turnEnded, { turn, outcome }),
      this.conversations.announce(tx, turn),
    ]);
  }

  private async errorOf(tx: Transaction, turn: Turn, outcome: TurnOutcome): Promise<TurnError | null> {
    if (!outcome.error) return null;
    const conversation = await this.conversations.findOwned(tx, turn.memberId, turn.conversationId);
    // Without the conversation the claim is lost, which the next write finds out.
    if (!conversation) return errorIn(outcome, 'en');
    const { language } = await this.assistants.get(tx, answererOf(turn, conversation));
    return errorIn(outcome, language);
  }

  /** Locks the conversation before its turns: a question that interrupts a turn would deadlock with its end. */
  async stopAll(tx: Transaction, turns: readonly Turn[], reason: FinishReason): Promise<void> {
    for (const id of new Set(turns.map(({ conversationId }) => conversationId)))
      await this.turns.holdConversation(tx, id);
    // Waiting turns first: otherwise the end of the running one would start the next one.
    for (const { id } of turns.toReversed()) {
      const turn = await this.turns.lock(tx, { id }, 'FOR UPDATE');
      if (!turn || isTerminal(turn.status)) continue;
      if (isOwned(turn)) await this.askToStop(tx, turn, reason);
      else await this.endUnanswered(tx, turn, reason);
    }
  }

  /** Also removes the logs of all its turns. A process that still runs one finds its claim lost. */
  async clear(tx: Transaction, conversationId: string, reason: FinishReason): Promise<void> {
    const turns = await this.turns.listUnfinished(tx, [conversationId]);
    await this.stopAll(tx, turns, reason);
    for (const { id } of turns) {
      const turn = await this.turns.lock(tx, { id }, 'FOR UPDATE');
      if (turn && !isTerminal(turn.status)) await this.endUnanswered(tx, turn, reason);
    }
    await this.log.deleteOf(tx, conversationId);
  }

  /** Ends a turn without an answer. Text that an earlier attempt has shown is withdrawn. */
  private async endUnanswered(tx: Transaction, turn: Turn, finishReason: FinishReason): Promise<void> {
    const rest = turn.attempt > 0 ? await this.log.withdrawShownText(tx, turn.id) : [];
    if (isWaiting(turn.status)) rest.push(...(await this.records.closeInputs(tx, turn.id)));
    // A server may wait on a connection of some process.
    if (turn.status === 'WAITING_FOR_INPUT') await this.queue.tellToStop(tx, turn.id, finishReason);
    const outcome: TurnOutcome = {
      status: 'CANCELLED',
      finishReason,
      text: '',
      parts: null,
      citations: [],
      usage: usageOf(turn),
      error: null,
    };
    await this.end(tx, turn, outcome, { before: turn.lastSequence, rest, pieces: [], calls: [] });
  }

  private async askToStop(tx: Transaction, turn: Turn, reason: FinishReason): Promise<void> {
    await this.claims.requestStop(tx, turn.id, reason);
    await this.queue.tellToStop(tx, turn.id, reason);
  }

  private async finish(tx: Transaction, turn: Turn, end: TurnEnd): Promise<void> {
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    const next = await this.claims.finish(tx, { claim, conversationId: turn.conversationId }, end);
    if (next) await this.queue.hint(tx, next);
  }

  private addAnswer(
    tx: Transaction,
    { answerId, questionId, conversationId, id }: Turn,
    { text, parts, status, citations }: TurnOutcome,
    createdAt: Date,
  ): Promise<void> {
    return this.conversations.addAnswer(tx, {
      id: answerId,
      questionId,
      conversationId,
      turnId: id,
      status: messageStatuses[status],
      text,
      parts,
      citations,
      createdAt,
    });
  }
}

/** Whether a process runs the turn, as far as is known. Queued turns and those waiting for people have no owner. */
function isOwned({ status, leaseUntil }: Turn): boolean {
  return status === 'RUNNING' || (status === 'IN_BACKGROUND' && leaseUntil !== null);
}
