import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import { newestFirst } from '../../platform/database/keyset.js';
import { rowsOf } from '../../platform/database/rows-of.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AuditEntry } from './audit-entry.entity.js';

export type NewAuditEntry = Pick<AuditEntry, 'memberId' | 'action' | 'subject' | 'details'>;

export const auditEntryOrder = newestFirst('audit-entries');

@Injectable()
export class AuditRepository extends rowsOf(AuditEntry) {
  /** Adds the entry unless `limit` entries of this member, action and subject have an id from `since` on. */
  async addWithLimit(
    tx: Transaction,
    { memberId, action, subject, details }: NewAuditEntry,
    { limit, since }: { limit: number; since: string },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (company_id, id, member_id, action, subject, details)
       SELECT $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::jsonb
       WHERE (SELECT count(*) FROM audit_entry
              WHERE company_id = $1 AND id >= $7 AND member_id = $3 AND action = $4 AND subject = $5) < $8`,
      [tx.companyId, newId(), memberId, action, subject, details, since, limit],
    );
  }
}
