import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** Who changed what, and when. Rows are never changed but to anonymize an erased member. */
@Entity()
@Index('audit_entry_member', ['companyId', 'memberId', 'id'])
// By what stands before the dot of the action, which no decorator can say.
@Index('audit_entry_noun', { synchronize: false })
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
