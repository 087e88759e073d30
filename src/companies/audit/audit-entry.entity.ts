import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../../common/json.js';

/** Who changed what, and when. Rows are never changed but to anonymize an erased member. */
@Entity()
export class AuditEntry {
  @ForeignKey('Company', { name: 'audit_entry_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entry_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entry_pkey' })
  id!: string;

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

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
