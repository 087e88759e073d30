import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../platform/database/transaction.js';
import { PubSub } from '../../../platform/pubsub/pub-sub.js';
import type { Conversation } from '../../conversation.repository.js';
import type { FinishReason } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import type { TurnAddress, ClaimedTurn } from './turn-claim.js';

/** Topics by which processes tell each other to look at a turn. They are hints only: the rows are the truth. */
export const turnTopics = { queued: 'turn.queued', stop: 'turn.stop', held: 'turn.held' } as const;

/** A new turn, with what its run would otherwise have to read from the database. */
export interface CreatedTurn {
  turn: Turn;
  conversation: Conversation;
  question: string;
  memberName: string;
  /** The conversation begins with it. */
  isFirst: boolean;
  /** Something is attached to the question. */
  hasAttachments: boolean;
}

/** A reserved place for one turn in this process. Must be used or released; releasing a used place does nothing. */
export interface Place {
  /** Reads more data for the run in the transaction that creates the turn, so that it can start at the commit. */
  prepare(tx: Transaction, created: CreatedTurn): Promise<void>;
  run(claimed: ClaimedTurn): void;
  release(): void;
}

/** Runs turns in this process. */
export interface Runner {
  hasRoomFor(companyId: string): boolean;
  /** Reserves a place for a turn that is about to be created. Null: none is free. */
  reserve(companyId: string): Place | null;
  /** Claims and runs a waiting turn, if there is room. */
  offer(address: TurnAddress): void;
}

/** Skill calls that wait for people on connections of this process, by call id. */
export type HeldCalls = Map<string, { turnId: string; drop(): void }>;

/** Holds this process's runner, which is in the room above. None in a process of role `api`. */
@Injectable()
export class LocalRunner {
  readonly held: HeldCalls = new Map();
  private runner: Runner | null = null;

  /** Null: this process runs no more turns. */
  register(runner: Runner | null): void {
    this.runner = runner;
  }

  hasRoomFor(companyId: string): boolean {
    return this.runner?.hasRoomFor(companyId) ?? false;
  }

  reserve(companyId: string): Place | null {
    return this.runner?.reserve(companyId) ?? null;
  }

  offer(address: TurnAddress): void {
    this.runner?.offer(address);
  }
}

/** Turns wait in their own rows, with hints to look at them. No jobs could contradict the rows. */
@Injectable()
export class TurnQueue {
  constructor(
    private readonly turns: TurnRepository,
    private readonly runner: LocalRunner,
    private readonly pubSub: PubSub,
  ) {}

  /** Reserves a place for a turn that is about to be created. Null: this process has none. */
  reserve(companyId: string): Place | null {
    return this.runner.reserve(companyId);
  }

  /** Offers the conversation's next turn, because `endedId` no longer blocks it. */
  async advance(tx: Transaction, conversationId: string, endedId: string): Promise<void> {
    const waiting = await this.turns.listBusyIds(tx, conversationId, 2);
    const next = waiting.find((id) => id !== endedId);
    if (next) await this.hint(tx, next);
  }

  /** Offers a waiting turn once `tx` is committed, to this process or one with room. */
  async hint(tx: Transaction, turnId: string): Promise<void> {
    const address = { companyId: tx.companyId, turnId };
    if (this.runner.hasRoomFor(tx.companyId)) tx.afterCommit(() => this.runner.offer(address));
    else await this.pubSub.publish(tx, turnTopics.queued, JSON.stringify(address));
  }

  /** Tells the process that runs the turn to end it once `tx` is committed. */
  async tellToStop(tx: Transaction, turnId: string, reason: FinishReason): Promise<void> {
    await this.pubSub.publish(tx, turnTopics.stop, JSON.stringify({ turnId, reason }));
  }

  /** Like `hint`, but prefers the process that holds a call of the turn. */
  async hintHolder(tx: Transaction, turnId: string): Promise<void> {
    const address = { companyId: tx.companyId, turnId };
    await this.pubSub.publish(tx, turnTopics.held, JSON.stringify(address));
  }
}
