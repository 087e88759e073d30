import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';

@Injectable()
export class MemberMemoryRepository {
  /** Removes some of a member's own memories, and gives how many. */
  async deleteSome(tx: Transaction, memberId: string, limit: number): Promise<number> {
    const rows = await tx.query(
      `DELETE FROM memory WHERE company_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM memory WHERE company_id = $1 AND owner_id = $2 LIMIT $3)) RETURNING id`,
      [tx.companyId, memberId, limit],
    );
    return rows.length;
  }

  /** What a member noted for the whole company is the company's: who noted it, and in which message, is not. */
  async leaveShared(tx: Transaction, memberId: string): Promise<void> {
    await tx.query(
      `UPDATE memory SET created_by = NULL, source_message_id = NULL
       WHERE company_id = $1 AND owner_id IS NULL AND created_by = $2`,
      [tx.companyId, memberId],
    );
  }
}
