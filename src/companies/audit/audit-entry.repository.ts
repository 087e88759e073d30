import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AuditEntry } from './audit-entry.entity.js';

export const auditEntryOrder = newestFirst('audit-entries');

@Injectable()
export class AuditEntryRepository {
  list(tx: Transaction, request: PageRequest): Promise<Page<AuditEntry>> {
    const query = tx.repository(AuditEntry).createQueryBuilder('entry').where({ companyId: tx.companyId });
    return readPage(query, auditEntryOrder, request);
  }

  find(tx: Transaction, id: string): Promise<AuditEntry | null> {
    return tx.find(AuditEntry, { id });
  }
}
