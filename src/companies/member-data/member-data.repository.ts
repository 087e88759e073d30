import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { NOBODY } from './nobody.js';

@Injectable()
export class MemberDataRepository {
  /** From now on nobody is this member: whoever comes with the same `sub` becomes another one. False: nobody was. */
  async disown(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE member SET subject = 'erased ' || id, name = '', email = NULL, role = 'MEMBER'
       WHERE company_id = $1 AND id = $2 AND subject <> 'erased ' || id RETURNING id`,
      [tx.companyId, id],
    );
    return rows.length > 0;
  }

  /** Those of them whom somebody still is. */
  async listThere(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM member WHERE company_id = $1 AND id = ANY ($2) AND subject NOT IN ('erased ' || id, 'revoked ' || id)`,
      [tx.companyId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Holds the member, so that nothing new becomes theirs until `tx` ends. False: they are gone. */
  async hold(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM member WHERE company_id = $1 AND id = $2 FOR UPDATE', [
      tx.companyId,
      id,
    ]);
    return rows.length > 0;
  }

  /** Removes the member, and with them what is theirs by a foreign key. */
  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM member WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** What was changed stays in the audit; who did it, and to whom, does not. */
  async leaveAudit(tx: Transaction, id: string): Promise<void> {
    await tx.query(
      `UPDATE audit_entry SET member_id = CASE member_id WHEN $2 THEN $3 ELSE member_id END,
         subject = replace(subject, $2::text, $3::text), details = replace(details::text, $2::text, $3::text)::jsonb
       WHERE company_id = $1 AND (member_id = $2 OR position($2::text IN subject || details::text) > 0)`,
      [tx.companyId, id, NOBODY],
    );
  }
}
