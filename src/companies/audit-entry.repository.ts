import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { Page, PageRequest } from '../common/page.js';
import { type Keyset, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { AuditEntry } from './audit-entry.entity.js';

const newestFirst: Keyset<AuditEntry> = {
  keys: { id: 'uuid' },
  direction: 'DESC',
  keyOf: ({ id }) => [id],
};

@Injectable()
export class AuditEntryRepository {
  async add(
    tx: Transaction,
    { memberId, action, subject, details }: Pick<AuditEntry, 'memberId' | 'action' | 'subject' | 'details'>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (company_id, id, member_id, action, subject, details) VALUES ($1, $2, $3, $4, $5, $6)`,
      [tx.companyId, newId(), memberId, action, subject, details],
    );
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<AuditEntry>> {
    const query = tx.repository(AuditEntry).createQueryBuilder('entry').where({ companyId: tx.companyId });
    return readPage(query, newestFirst, request);
  }

  find(tx: Transaction, id: string): Promise<AuditEntry | null> {
    return tx.selectOne(AuditEntry, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }
}
