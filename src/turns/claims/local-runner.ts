import { Injectable } from '@nestjs/common';

import type { Conversation } from '../../conversations/conversation.entity.js';
import type { Transaction } from '../../database/transaction.js';
import type { TurnAddress } from './turn-address.js';
import type { ClaimedTurn } from './claimed-turn.js';
import type { Turn } from '../turn.entity.js';

/** A turn that is being created, with what is known of it that its run would have to read. */
export interface CreatedTurn {
  turn: Turn;
  conversation: Conversation;
  question: string;
  memberName: string;
  /** The conversation begins with it. */
  isFirst: boolean;
}

/** Room for one turn in this process: to be used, or to be given back. Giving back what is used does nothing. */
export interface Place {
  /** Reads the rest of what the run needs, in the transaction that creates the turn: it can begin with the commit. */
  prepare(tx: Transaction, created: CreatedTurn): Promise<void>;
  run(claimed: ClaimedTurn): void;
  release(): void;
}

/** Whoever runs turns in this process. */
export interface Runner {
  readonly hasRoom: boolean;
  /** Room for a turn that is about to be there. Null: there is none. */
  reserve(): Place | null;
  /** Has a turn that waits claimed and run, if there is room. */
  offer(address: TurnAddress): void;
}

/** The way down to those who run turns, for those who take questions: in a process that runs none, nobody is there. */
@Injectable()
export class LocalRunner {
  private runner: Runner | null = null;

  /** Null: nobody runs turns here any more. */
  register(runner: Runner | null): void {
    this.runner = runner;
  }

  get hasRoom(): boolean {
    return this.runner?.hasRoom ?? false;
  }

  reserve(): Place | null {
    return this.runner?.reserve() ?? null;
  }

  offer(address: TurnAddress): void {
    this.runner?.offer(address);
  }
}
