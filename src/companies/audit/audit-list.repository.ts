import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../common/ids.js';
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

/** An id may be from a clock that is this much behind or ahead of the database's. */
const CLOCKS_APART_MS = 3_600_000;

const CONDITIONS: Record<keyof ListedEntries, string> = {
  noun: `split_part(entry.action, '.', 1) = :noun`,
  memberId: 'entry.member_id = :memberId',
  // By id too, which is in the order of the times.
  from: 'entry.created_at >= :from AND entry.id >= :firstId',
  to: 'entry.created_at < :to AND entry.id < :lastId',
};

@Injectable()
export class AuditListRepository {
  pageOf(tx: Transaction, listed: ListedEntries, request: PageRequest): Promise<Page<AuditEntry>> {
    const { from, to } = listed;
    const query = tx.repository(AuditEntry).createQueryBuilder('entry').where({ companyId: tx.companyId });
    for (const name of Object.keys(listed) as (keyof ListedEntries)[]) query.andWhere(CONDITIONS[name]);
    query.setParameters({
      ...listed,
      firstId: from && firstIdAt(new Date(Math.max(0, from.getTime() - CLOCKS_APART_MS))),
      lastId: to && firstIdAt(new Date(to.getTime() + CLOCKS_APART_MS)),
    });
    return readPage(query, auditEntryOrder, request);
  }
}
