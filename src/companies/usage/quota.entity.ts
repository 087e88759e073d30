import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

export const quotaPeriods = ['DAY', 'MONTH'] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

/** What a company or a member may use in a day or a month, UTC. */
@Entity()
export class Quota {
  @ForeignKey('Company', { name: 'quota_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'quota_pkey' })
  companyId!: string;

  /** COMPANY: all members together; EACH_MEMBER: every member without a quota of their own; or a member's id. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'quota_pkey' })
  subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'quota_pkey' })
  period!: QuotaPeriod;

  /** Input and output tokens. Null: not limited by tokens. TypeORM reads bigint as text. */
  @Column('bigint', { nullable: true })
  maxTokens!: string | null;

  @Column('double precision', { nullable: true })
  maxCostUsd!: number | null;
}
