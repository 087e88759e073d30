import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import type { Memory } from './memory.entity.js';

type Forgotten = (tx: Transaction, memories: readonly Memory[]) => Promise<void>;

/** The way up to those who keep traces of memories, which memory knows nothing of: prompts, messages, skill calls. */
@Injectable()
export class MemoryHooks {
  private readonly forgottenHandlers: Forgotten[] = [];

  /** `handler` is told in the transaction that erases the memories, all versions at once; what it rejects with fails it. */
  onForgotten(handler: Forgotten): void {
    this.forgottenHandlers.push(handler);
  }

  async forgotten(tx: Transaction, memories: readonly Memory[]): Promise<void> {
    for (const handler of this.forgottenHandlers) await handler(tx, memories);
  }
}
