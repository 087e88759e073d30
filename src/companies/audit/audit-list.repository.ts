import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AuditEntry } from './audit.repository.js';

export const auditEntryOrder = newestFirst('audit-entries');

/** What listed entries have in common. What is left out is not looked at. */
export interface ListedEntries {
  /** What stands before the dot of their action. */
  noun?: string;
  memberId?: string;
  from?: Date;
  to?: Date;
}

const CONDITIONS: Record<keyof ListedEntries, string> = {
  noun: `split_part(entry.action, '.', 1) = :noun`,
  memberId: 'entry.member_id = :memberId',
  from: 'entry.created_at >= :from',
  to: 'entry.created_at < :to',
};

@Injectable()
export class AuditListRepository {
  pageOf(tx: Transaction, listed: ListedEntries, request: PageRequest): Promise<Page<AuditEntry>> {
    const query = tx.repository(AuditEntry).createQueryBuilder('entry').where({ companyId: tx.companyId });
    for (const name of Object.keys(listed) as (keyof ListedEntries)[]) query.andWhere(CONDITIONS[name]);
    return readPage(query.setParameters(listed), auditEntryOrder, request);
  }
}
