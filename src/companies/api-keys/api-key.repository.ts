import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../database/keyset.js';
import type { Transaction } from '../../database/transaction.js';
import { ApiKey } from './api-key.entity.js';

export const apiKeyOrder = newestFirst('api-keys');

@Injectable()
export class ApiKeyRepository {
  async add(
    tx: Transaction,
    key: Pick<ApiKey, 'id' | 'memberId' | 'name' | 'role' | 'digest' | 'expiresAt'>,
  ): Promise<ApiKey> {
    const { id, memberId, name, role, digest, expiresAt } = key;
    await tx.query(
      `INSERT INTO api_key (company_id, id, member_id, name, role, digest, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [tx.companyId, id, memberId, name, role, digest, expiresAt],
    );
    const added = await this.find(tx, id);
    if (!added) throw new Error('An API key that was just added is not there.');
    return added;
  }

  /** The key of that digest, if somebody still comes with it: neither revoked, nor its member erased. */
  async findInForce(tx: Transaction, digest: string): Promise<ApiKey | null> {
    return tx.selectOne(
      ApiKey,
      `company_id = $1 AND digest = $2 AND revoked_at IS NULL AND EXISTS (
         SELECT FROM member WHERE member.company_id = $1 AND member.id = api_key.member_id
           AND member.subject = 'api-key ' || api_key.id)`,
      [tx.companyId, digest],
    );
  }

  find(tx: Transaction, id: string): Promise<ApiKey | null> {
    return tx.selectOne(ApiKey, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  async isOne(tx: Transaction, memberId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM api_key WHERE company_id = $1 AND member_id = $2', [
      tx.companyId,
      memberId,
    ]);
    return rows.length > 0;
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<ApiKey>> {
    const query = tx.repository(ApiKey).createQueryBuilder('key').where({ companyId: tx.companyId });
    return readPage(query, apiKeyOrder, request);
  }

  /** How many are in force, counted up to `most`; others that are made meanwhile wait until `tx` ends. */
  async countInForce(tx: Transaction, most: number): Promise<number> {
    await tx.query('SELECT FROM company WHERE id = $1 FOR NO KEY UPDATE', [tx.companyId]);
    const rows = await tx.query(
      `SELECT FROM api_key WHERE company_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
       LIMIT $2`,
      [tx.companyId, most],
    );
    return rows.length;
  }

  async use(tx: Transaction, id: string, at: Date): Promise<void> {
    await tx.query('UPDATE api_key SET last_used_at = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      at,
    ]);
  }

  /** Whoever was the key's member is nobody from now on. Null: there is no such key. */
  async revoke(tx: Transaction, id: string, at: Date): Promise<{ key: ApiKey; isNew: boolean } | null> {
    const revoked = await tx.query(
      `UPDATE api_key SET revoked_at = $3 WHERE company_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
      [tx.companyId, id, at],
    );
    const key = await this.find(tx, id);
    if (!key) return null;
    if (revoked.length === 0) return { key, isNew: false };
    await tx.query(
      `UPDATE member SET subject = 'revoked ' || id, role = 'MEMBER' WHERE company_id = $1 AND id = $2`,
      [tx.companyId, key.memberId],
    );
    return { key, isNew: true };
  }
}
