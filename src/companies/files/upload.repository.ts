import { Injectable } from '@nestjs/common';

import { rowsOf } from '../../platform/database/rows-of.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Upload } from './upload.entity.js';

@Injectable()
export class UploadRepository extends rowsOf(Upload) {
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
