import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { Upload } from './upload.entity.js';

@Injectable()
export class UploadRepository {
  async insert(tx: Transaction, upload: Upload): Promise<void> {
    await tx.repository(Upload).insert(upload);
  }

  find(tx: Transaction, id: string): Promise<Upload | null> {
    return tx.selectOne(Upload, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Marks the ticket as used. False: it was used already; of concurrent callers only one gets true. */
  async use(tx: Transaction, id: string, now: Date): Promise<boolean> {
    const used = await tx.query(
      `UPDATE upload SET used_at = $3
       WHERE company_id = $1 AND id = $2 AND used_at IS NULL
       RETURNING id`,
      [tx.companyId, id, now],
    );
    return used.length > 0;
  }

  async release(tx: Transaction, id: string): Promise<void> {
    await tx.query('UPDATE upload SET used_at = NULL WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** In a system transaction. Deletes expired tickets of all companies, and gives how many. */
  async deleteExpired(tx: Transaction, now: Date): Promise<number> {
    const [row] = await tx.query<{ deleted: number }>(
      `WITH expired AS (DELETE FROM upload WHERE expires_at <= $1 RETURNING id)
       SELECT count(*)::integer AS deleted FROM expired`,
      [now],
    );
    return row?.deleted ?? 0;
  }
}
