import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import { firstIdAt, newId } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** Who changed what, and when. Rows are never changed but to anonymize an erased member. */
@Entity()
@Index('audit_entry_member', ['companyId', 'memberId', 'id'])
// An index on the action's part before the dot, which a decorator cannot express.
@Index('audit_entry_noun', { synchronize: false })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class AuditEntry extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  /** `noun.verb`, such as `skill.activated`. */
  @Column('text')
  action!: string;

  /** The changed thing: a skill's key, a company's id. */
  @Column('text')
  subject!: string;

  @Column('jsonb', { default: {} })
  details!: JsonObject;
}

export type NewAuditEntry = Pick<AuditEntry, 'memberId' | 'action' | 'subject' | 'details'>;

export const auditEntryOrder = newestFirst('audit-entries');

/** Filters of listed entries. A missing one is ignored. */
export interface ListedEntries {
  /** The action's part before the dot. */
  noun?: string;
  memberId?: string;
  from?: Date;
  to?: Date;
}

/** A clock may differ this much from the database's, so ids may too. */
const CLOCKS_APART_MS = 3_600_000;

const CONDITIONS: Record<keyof ListedEntries, string> = {
  noun: `split_part(entry.action, '.', 1) = :noun`,
  memberId: 'entry.member_id = :memberId',
  // Filters by id too, because ids are in order of time.
  from: 'entry.created_at >= :from AND entry.id >= :firstId',
  to: 'entry.created_at < :to AND entry.id < :lastId',
};

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
