import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';

/** Which transactions have changed what is searched: what they read is true for nobody else, and must not be kept. */
@Injectable()
export class OwnChanges {
  private readonly transactions = new WeakSet<Transaction>();

  add(tx: Transaction): void {
    this.transactions.add(tx);
  }

  has(tx: Transaction): boolean {
    return this.transactions.has(tx);
  }
}
