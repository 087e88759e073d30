import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../../common/json.js';

/** Who changed what, and when: every admin's switch leaves one. Rows are only ever added. */
@Entity()
export class AuditEntry {
  @ForeignKey('Company', { name: 'audit_entry_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entry_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'audit_entry_pkey' })
  id!: string;

  @Column('uuid')
  memberId!: string;

  /** What was done, as `noun.verb`: `skill.activated`. */
  @Column('text')
  action!: string;

  /** What it was done to: a skill's key, a company's id. */
  @Column('text')
  subject!: string;

  @Column('jsonb', { default: {} })
  details!: JsonObject;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
