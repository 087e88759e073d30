import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.js';
import type { QuotaPeriod } from './quota.repository.js';

/** The dimensions for adding up usage. */
export type UsageGroup = 'DAY' | 'MEMBER' | 'ASSISTANT' | 'MODEL';

/** What one member used of one model with one assistant in one day, UTC. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class UsageDay extends CompanyRow {
  /** `2026-01-31`. */
  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('uuid')
  memberId!: string;

  @PrimaryColumn('text')
  assistantKey!: string;

  @PrimaryColumn('text')
  model!: string;

  @Column('integer', { default: 0 })
  modelCalls!: number;

  /** Calls whose tokens the provider did not report. */
  @Column('integer', { default: 0 })
  estimatedCalls!: number;

  /** Calls of models without a price. They are not in the cost. */
  @Column('integer', { default: 0 })
  unpricedCalls!: number;

  /** PostgreSQL's bigint arrives as text. */
  @Column('bigint', { default: 0 })
  inputTokens!: string;

  @Column('bigint', { default: 0 })
  outputTokens!: string;

  @Column('bigint', { default: 0 })
  cachedInputTokens!: string;

  @Column('double precision', { default: 0 })
  costUsd!: number;
}

/**
 * The sum of a company's or a member's usage of one provider's models in one day or month. Quotas are checked against
 * these sums.
 */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class ProviderTotal extends CompanyRow {
  /** COMPANY, or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @PrimaryColumn('text')
  period!: QuotaPeriod;

  /** The day, or the first of the month, UTC: `2026-01-31`. */
  @PrimaryColumn('date')
  firstDay!: string;

  /** The key of a company's provider, which may be deleted, or INSTALLATION. */
  @PrimaryColumn('text')
  provider!: string;

  /** Input and output. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  tokens!: string;

  @Column('double precision', { default: 0 })
  costUsd!: number;
}
