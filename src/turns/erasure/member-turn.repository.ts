import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';

@Injectable()
export class MemberTurnRepository {
  async listConversations(tx: Transaction, memberId: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM conversation WHERE company_id = $1 AND member_id = $2 LIMIT $3',
      [tx.companyId, memberId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** What a member allowed or denied in others' turns stays so; that it was them, and their words, do not. */
  async leaveApprovals(tx: Transaction, memberId: string): Promise<void> {
    await tx.query(
      'UPDATE approval SET resolved_by = NULL, comment = NULL WHERE company_id = $1 AND resolved_by = $2',
      [tx.companyId, memberId],
    );
  }
}
