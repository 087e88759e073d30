import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { QuotaPeriod } from './quota.entity.js';
import { CompanyRow } from '../../platform/database/rows.entity.js';

/** The sum of a company's or a member's usage in one day or month, against which quotas are checked. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class UsageTotal extends CompanyRow {
  /** COMPANY, or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @PrimaryColumn('text')
  period!: QuotaPeriod;

  /** The day, or the first of the month, UTC: `2026-01-31`. */
  @PrimaryColumn('date')
  firstDay!: string;

  /** Input and output. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  tokens!: string;

  @Column('double precision', { default: 0 })
  costUsd!: number;
}
