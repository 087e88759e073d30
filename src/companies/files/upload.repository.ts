import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { Upload } from './upload.entity.js';

@Injectable()
export class UploadRepository {
  async insert(tx: Transaction, upload: Upload): Promise<void> {
    await tx.repository(Upload).insert(upload);
  }

  find(tx: Transaction, id: string): Promise<Upload | null> {
    return tx.find(Upload, { id });
  }

  /** Marks the ticket as used. False: it was used already; of concurrent callers only one gets true. */
  use(tx: Transaction, id: string, now: Date): Promise<boolean> {
    return tx.update(Upload, { id, usedAt: null }, { usedAt: now });
  }

  async release(tx: Transaction, id: string): Promise<void> {
    await tx.update(Upload, { id }, { usedAt: null });
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
