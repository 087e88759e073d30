import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What one member used of one model with one assistant in one day, UTC. */
@Entity()
export class UsageDay {
  @ForeignKey('Company', { name: 'usage_day_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'usage_day_pkey' })
  companyId!: string;

  /** `2026-01-31`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'usage_day_pkey' })
  day!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'usage_day_pkey' })
  memberId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_day_pkey' })
  assistantKey!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'usage_day_pkey' })
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
