import { Column, Entity, ForeignKey } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import { newId } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** Who changed what, and when. Rows are never changed but to anonymize an erased member. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class AuditEntry extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  /** `noun.verb`, such as `skill.activated`. */
  @Column('text')
  action!: string;

  /** What was changed: a skill's key, a company's id. */
  @Column('text')
  subject!: string;

  @Column('jsonb', { default: {} })
  details!: JsonObject;
}

export type NewAuditEntry = Pick<AuditEntry, 'memberId' | 'action' | 'subject' | 'details'>;

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
export class AuditRepository extends rowsOf(AuditEntry) {
  pageOf(tx: Transaction, listed: ListedEntries, request: PageRequest): Promise<Page<AuditEntry>> {
    const query = tx.repository(AuditEntry).createQueryBuilder('entry').where({ companyId: tx.companyId });
    for (const name of Object.keys(listed) as (keyof ListedEntries)[]) query.andWhere(CONDITIONS[name]);
    return readPage(query.setParameters(listed), auditEntryOrder, request);
  }

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
