import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { Provider } from './provider.entity.js';

@Injectable()
export class ProviderRepository {
  list(tx: Transaction): Promise<Provider[]> {
    return tx.select(Provider, 'company_id = $1 ORDER BY key COLLATE "C"', [tx.companyId]);
  }

  find(tx: Transaction, id: string): Promise<Provider | null> {
    return tx.selectOne(Provider, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  findByKey(tx: Transaction, key: string): Promise<Provider | null> {
    return tx.selectOne(Provider, 'company_id = $1 AND key = $2', [tx.companyId, key]);
  }

  /** Held so that it is not removed before `tx` ends. */
  async findKept(tx: Transaction, key: string): Promise<Provider | null> {
    await tx.query('SELECT FROM provider WHERE company_id = $1 AND key = $2 FOR KEY SHARE', [
      tx.companyId,
      key,
    ]);
    return this.findByKey(tx, key);
  }

  /** Held so that nobody changes it, or begins to use it, before `tx` ends. */
  async findLocked(tx: Transaction, key: string): Promise<Provider | null> {
    await tx.query('SELECT FROM provider WHERE company_id = $1 AND key = $2 FOR UPDATE', [tx.companyId, key]);
    return this.findByKey(tx, key);
  }

  /** Counts them. Locks the company, so that none is added before `tx` ends. */
  async count(tx: Transaction): Promise<number> {
    await tx.query('SELECT FROM company WHERE id = $1 FOR NO KEY UPDATE', [tx.companyId]);
    return (await tx.query('SELECT FROM provider WHERE company_id = $1', [tx.companyId])).length;
  }

  /** Adds it, or changes the one of its id. */
  async put(tx: Transaction, provider: Omit<Provider, 'companyId' | 'createdAt'>): Promise<void> {
    const { id, key, baseUrl, apiKey, api, models } = provider;
    await tx.query(
      `INSERT INTO provider (company_id, id, key, base_url, api_key, api, models) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (company_id, id) DO UPDATE SET base_url = $4, api_key = $5, api = $6, models = $7`,
      [tx.companyId, id, key, baseUrl, apiKey, api, models],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM provider WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** The assistants whose model is one of this provider's. */
  listUsers(tx: Transaction, key: string): Promise<{ key: string; model: string }[]> {
    return tx.query<{ key: string; model: string }>(
      `SELECT key, model FROM assistant WHERE company_id = $1 AND starts_with(model, $2) ORDER BY key`,
      [tx.companyId, `${key}/`],
    );
  }
}
