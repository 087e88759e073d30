import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { describeSpan } from '../../../platform/tracing/span.js';
import { ConversationsService } from '../../conversations.service.js';
import { InputRequests } from '../inputs/input-requests.service.js';
import type { PendingInput } from '../inputs/pending-input.entity.js';
import { requestedEntry, resolvedEntry, waitingStatus } from '../inputs/shown-input.js';
import { TurnLog } from '../log/turn-log.service.js';
import type { LastEntries } from '../log/turn-writer.js';
import { type FinishReason, type InputAsked, isWaiting, type TurnEntry, type Usage } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import { inputsRequested, inputsSettled } from '../turns.events.js';
import { TurnClaimRepository } from './turn-claim.repository.js';
import type { Claim } from './turn-claim.js';
import { TurnQueue } from './turn-queue.service.js';

/** The head start of a process that holds a call of the turn. */
const HEAD_START_SECONDS = 3;

/** A turn that its owner releases without ending it. */
interface ReleasedTurn {
  turn: Turn;
  claim: Claim;
  last: LastEntries;
  usage: Usage;
}

/** Turns that wait for people, or were handed over. Everything is in rows, so that any process can continue them. */
@Injectable()
export class WaitingTurns {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly turns: TurnRepository,
    private readonly claims: TurnClaimRepository,
    private readonly log: TurnLog,
    private readonly queue: TurnQueue,
    private readonly requests: InputRequests,
    private readonly events: DomainEvents,
  ) {}

  async putBack(tx: Transaction, left: ReleasedTurn): Promise<void> {
    const { turn } = left;
    const status = turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    await this.storeLastEntries(tx, left, [{ type: 'status-changed', status, detail: 'HANDED_OVER' }]);
    await this.claims.release(tx, left.claim, status);
    describeSpan((span) => span.set({ turnStatus: 'HANDED_OVER' }));
    await this.queue.hint(tx, turn.id);
  }

  /** Returns the reason to stop the turn, if a stop was requested. */
  async park(
    tx: Transaction,
    left: ReleasedTurn,
    asked: readonly InputAsked[],
  ): Promise<FinishReason | null> {
    const { turn, claim } = left;
    await this.turns.holdConversation(tx, turn.conversationId);
    const standing = await this.turns.lock(tx, { id: turn.id }, 'FOR UPDATE');
    if (standing?.stopReason) return standing.stopReason;
    // The turn is released under the next attempt. The attempt after that is the first to run it again.
    const inputs = await this.requests.ask(tx, turn, claim.attempt + 2, asked);
    const status = waitingStatus(inputs);
    await this.storeLastEntries(tx, left, [
      ...inputs.map(requestedEntry),
      { type: 'status-changed', status, detail: null },
    ]);
    await this.claims.release(tx, claim, status);
    describeSpan((span) => span.set({ turnStatus: status }));
    await this.conversations.announce(tx, turn);
    // Last, as at the end of a turn: notifying locks members' rows, which everybody locks after usage rows.
    await this.events.emit(tx, inputsRequested, { turn, inputs });
    return null;
  }

  async freeConversation(tx: Transaction, turn: Turn): Promise<void> {
    await this.turns.holdConversation(tx, turn.conversationId);
    await this.queue.advance(tx, turn.conversationId, turn.id);
    await this.conversations.announce(tx, turn);
  }

  /** Locks the conversation and the turn, in the usual order. Null: it no longer waits for people. */
  async hold(tx: Transaction, turnId: string): Promise<Turn | null> {
    const seen = await this.turns.find(tx, { id: turnId });
    if (!seen) return null;
    await this.turns.holdConversation(tx, seen.conversationId);
    const turn = await this.turns.lock(tx, { id: turnId }, 'FOR UPDATE');
    return turn && isWaiting(turn.status) ? turn : null;
  }

  /** Publishes what became of some inputs, and lets the turn run again once none is `open`. */
  async goOn(
    tx: Transaction,
    turn: Turn,
    resolved: readonly PendingInput[],
    open: readonly PendingInput[],
  ): Promise<void> {
    const entries = resolved.map(resolvedEntry);
    const detail = resolved.at(-1)?.status ?? null;
    const status = open.length > 0 ? waitingStatus(open) : turn.backgroundAt ? 'IN_BACKGROUND' : 'QUEUED';
    if (status !== turn.status)
      entries.push({ type: 'status-changed', status, detail: open.length > 0 ? null : detail });
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    await this.log.append(tx, claim, turn.lastSequence, entries);
    if (isWaiting(status)) return this.claims.keepWaiting(tx, turn.id, status);
    await this.resume(tx, turn);
    await this.conversations.announce(tx, turn);
    await this.events.emit(tx, inputsSettled, turn.id);
  }

  /** The process that holds the call has priority for a few seconds. */
  private async resume(tx: Transaction, { id, attempt }: Turn): Promise<void> {
    const isHeld = await this.requests.isHeld(tx, id, attempt + 1);
    await this.claims.unpark(tx, id, isHeld ? HEAD_START_SECONDS : 0);
    await (isHeld ? this.queue.hintHolder(tx, id) : this.queue.hint(tx, id));
  }

  private async storeLastEntries(
    tx: Transaction,
    { claim, last: { before, rest, calls }, usage }: ReleasedTurn,
    entries: readonly TurnEntry[],
  ): Promise<void> {
    await this.log.append(tx, claim, before, [...rest, ...entries], calls);
    await this.claims.keepUsage(tx, claim, usage);
  }
}
