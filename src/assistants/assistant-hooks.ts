import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import type { Assistant } from './assistant.entity.js';

type Changed = (tx: Transaction, before: Assistant, after: Assistant) => Promise<void>;

/** The way up to those whose work depends on how assistants are set, which assistants know nothing of. */
@Injectable()
export class AssistantHooks {
  private readonly changedHandlers: Changed[] = [];

  /** `handler` is told in the transaction that changes an assistant; what it rejects with fails it. */
  onChanged(handler: Changed): void {
    this.changedHandlers.push(handler);
  }

  async changed(tx: Transaction, before: Assistant, after: Assistant): Promise<void> {
    for (const handler of this.changedHandlers) await handler(tx, before, after);
  }
}
