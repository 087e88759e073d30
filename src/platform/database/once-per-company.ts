import type { Transaction } from './transaction.js';

const REMEMBERED = 100_000;

/**
 * Adds rows that ship with Palabre, such as assistants and skills, to a company when this process first needs them. So a
 * new version brings new rows without a loop over all companies, and a new company has them at once.
 */
export class OncePerCompany {
  private readonly done = new Set<string>();

  constructor(private readonly add: (tx: Transaction) => Promise<void>) {}

  /** Adds missing rows the first time a company is seen. Adding twice must do no harm. */
  async ensure(tx: Transaction): Promise<void> {
    if (this.done.has(tx.companyId)) return;
    await this.add(tx);
    if (this.done.size >= REMEMBERED) this.done.clear();
    tx.afterCommit(() => this.done.add(tx.companyId));
  }
}
