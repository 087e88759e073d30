import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AuditEntry } from './audit-entry.entity.js';

type NewAuditEntry = Pick<AuditEntry, 'memberId' | 'action' | 'subject' | 'details'>;

/** Writes the audit. Apart from reading it, because every change in the product writes it. */
@Injectable()
export class AuditRepository {
  async add(tx: Transaction, { memberId, action, subject, details }: NewAuditEntry): Promise<void> {
    await tx.insert(AuditEntry, { id: newId(), memberId, action, subject, details });
  }

  /** Adds the entry unless `limit` entries of this action and subject have an id from `since` on. */
  async addWithLimit(
    tx: Transaction,
    { memberId, action, subject, details }: NewAuditEntry,
    { limit, since }: { limit: number; since: string },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (company_id, id, member_id, action, subject, details)
       SELECT $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::jsonb
       WHERE (SELECT count(*) FROM audit_entry
              WHERE company_id = $1 AND id >= $7 AND action = $4 AND subject = $5) < $8`,
      [tx.companyId, newId(), memberId, action, subject, details, since, limit],
    );
  }
}
