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
  /** Reads what else the run needs, in the transaction that creates the turn, so that it can start at the commit. */
  prepare(tx: Transaction, created: CreatedTurn): Promise<void>;
  run(claimed: ClaimedTurn): void;
  release(): void;
}

/** What runs turns in this process. */
export interface Runner {
  hasRoomFor(companyId: string): boolean;
  /** Reserves a place for a turn of the company that is about to be created. Null: there is none. */
  reserve(companyId: string): Place | null;
  /** Claims and runs a waiting turn, if there is room. */
  offer(address: TurnAddress): void;
}

/** Skill calls that wait for people on connections of this process, by call id. */
export type HeldCalls = Map<string, { turnId: string; drop(): void }>;

/** Holds the runner of this process, which lies in the room above; none in a process that only takes questions. */
@Injectable()
export class LocalRunner {
  readonly held: HeldCalls = new Map();
  private runner: Runner | null = null;

  /** Null: this process runs no turns any more. */
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

/** The turns' own rows, and hints to look at them now: there are no jobs that could disagree with the rows. */
@Injectable()
export class TurnQueue {
  constructor(
    private readonly turns: TurnRepository,
    private readonly runner: LocalRunner,
    private readonly pubSub: PubSub,
  ) {}

  /** Reserves a place for a turn of the company that is about to be created. Null: this process has none. */
  reserve(companyId: string): Place | null {
    return this.runner.reserve(companyId);
  }

  /** Has the conversation's next turn run, as `endedId` no longer keeps it busy. */
  async advance(tx: Transaction, conversationId: string, endedId: string): Promise<void> {
    const waiting = await this.turns.listBusyIds(tx, conversationId, 2);
    const next = waiting.find((id) => id !== endedId);
    if (next) await this.hint(tx, next);
  }

  /** Has a waiting turn run once `tx` is committed: in this process, or in one that has room. */
  async hint(tx: Transaction, turnId: string): Promise<void> {
    const address = { companyId: tx.companyId, turnId };
    if (this.runner.hasRoomFor(tx.companyId)) tx.afterCommit(() => this.runner.offer(address));
    else await this.pubSub.publish(tx, turnTopics.queued, JSON.stringify(address));
  }

  /** Has whatever process runs the turn end it once `tx` is committed. */
  async tellToStop(tx: Transaction, turnId: string, reason: FinishReason): Promise<void> {
    await this.pubSub.publish(tx, turnTopics.stop, JSON.stringify({ turnId, reason }));
  }

  /** As `hint`, but has the turn run by the process that holds a call of it, if there is one. */
  async hintHolder(tx: Transaction, turnId: string): Promise<void> {
    const address = { companyId: tx.companyId, turnId };
    await this.pubSub.publish(tx, turnTopics.held, JSON.stringify(address));
  }
}
