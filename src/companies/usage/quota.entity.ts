import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.entity.js';

export const quotaPeriods = ['DAY', 'MONTH'] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

/** Whom a quota is for. */
export const quotaSubjects = ['COMPANY', 'EACH_MEMBER', 'MEMBER'] as const;
export type QuotaSubject = (typeof quotaSubjects)[number];

/** What a company or a member may use in a day or a month, UTC. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Quota extends CompanyRow {
  /** COMPANY: all members together; EACH_MEMBER: every member without a quota of their own; or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @PrimaryColumn('text')
  period!: QuotaPeriod;

  /** Input and output tokens. Null: not limited by tokens. TypeORM reads bigint as text. */
  @Column('bigint', { nullable: true })
  maxTokens!: string | null;

  @Column('double precision', { nullable: true })
  maxCostUsd!: number | null;
}
