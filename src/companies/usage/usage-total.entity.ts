import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { QuotaPeriod } from './quota.entity.js';

/** The sum of a company's or a member's usage in one day or month, against which quotas are checked. */
@Entity()
export class UsageTotal {
  @ForeignKey('Company', { name: 'usage_total_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'usage_total_pkey' })
  companyId!: string;

  /** COMPANY, or a member's id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_total_pkey' })
  subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_total_pkey' })
  period!: QuotaPeriod;

  /** The day, or the first of the month, UTC: `2026-01-31`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'usage_total_pkey' })
  firstDay!: string;

  /** Input and output. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  tokens!: string;

  @Column('double precision', { default: 0 })
  costUsd!: number;
}
