import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What one member's turns with one assistant used up of one model in one day, UTC. */
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

  /** Those whose tokens the provider did not count. */
  @Column('integer', { default: 0 })
  estimatedCalls!: number;

  /** Those of models without a price: the cost is without them. */
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
