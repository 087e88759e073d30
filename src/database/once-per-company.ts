import type { Transaction } from './transaction.js';

const REMEMBERED = 100_000;

/**
 * Rows that ship with the product, such as assistants and skills, are added to a company when this process first
 * needs them: a new version brings new ones without a loop over all companies, and a new company has them at once.
 */
export class OncePerCompany {
  private readonly done = new Set<string>();

  constructor(private readonly add: (tx: Transaction) => Promise<void>) {}

  /** Adds what is missing in `tx`, the first time a company is seen. Adding twice must do no harm. */
  async ensure(tx: Transaction): Promise<void> {
    if (this.done.has(tx.companyId)) return;
    await this.add(tx);
    if (this.done.size >= REMEMBERED) this.done.clear();
    tx.afterCommit(() => this.done.add(tx.companyId));
  }
}
