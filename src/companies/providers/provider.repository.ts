import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { Provider } from './provider.entity.js';

@Injectable()
export class ProviderRepository {
  list(tx: Transaction): Promise<Provider[]> {
    return tx.list(Provider, {}, 'ORDER BY key COLLATE "C"');
  }

  find(tx: Transaction, id: string): Promise<Provider | null> {
    return tx.find(Provider, { id });
  }

  findByKey(tx: Transaction, key: string): Promise<Provider | null> {
    return tx.find(Provider, { key });
  }

  /** Held so that it is not removed before `tx` ends. */
  findKept(tx: Transaction, key: string): Promise<Provider | null> {
    return tx.lock(Provider, { key }, 'FOR KEY SHARE');
  }

  /** Held so that nobody changes it, or begins to use it, before `tx` ends. */
  findLocked(tx: Transaction, key: string): Promise<Provider | null> {
    return tx.lock(Provider, { key }, 'FOR UPDATE');
  }

  /** Counts them. Locks the company, so that none is added before `tx` ends. */
  async count(tx: Transaction): Promise<number> {
    await tx.query('SELECT FROM company WHERE id = $1 FOR NO KEY UPDATE', [tx.companyId]);
    return (await tx.query('SELECT FROM provider WHERE company_id = $1', [tx.companyId])).length;
  }

  /** Adds it, or changes the one of its id. */
  async put(tx: Transaction, provider: Omit<Provider, 'companyId' | 'createdAt'>): Promise<void> {
    await tx.put(Provider, provider);
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.delete(Provider, { id });
  }

  /** The assistants whose model is one of this provider's. */
  listUsers(tx: Transaction, key: string): Promise<{ key: string; model: string }[]> {
    return tx.query<{ key: string; model: string }>(
      `SELECT key, model FROM assistant WHERE company_id = $1 AND starts_with(model, $2) ORDER BY key`,
      [tx.companyId, `${key}/`],
    );
  }
}
