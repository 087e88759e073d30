import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CompanyRow, keyedRowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

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

/** A quota that applies to a member, and what of it is used. */
export interface QuotaStanding {
  subject: string;
  period: QuotaPeriod;
  maxTokens: number | null;
  maxCostUsd: number | null;
  tokens: number;
  costUsd: number;
}

@Injectable()
export class QuotaRepository extends keyedRowsOf(Quota) {
  /** Quotas of the company come first: their subject is shorter than an id. */
  listFirst(tx: Transaction, limit: number): Promise<Quota[]> {
    return this.list(tx, {}, `ORDER BY length(subject), subject, period LIMIT ${limit}`);
  }

  async exists(tx: Transaction): Promise<boolean> {
    return (
      (await tx.one('SELECT true AS is FROM quota WHERE company_id = $1 LIMIT 1', [tx.companyId])) !== null
    );
  }

  /** The quotas that apply to the member, with their usage in the periods of `day`. Empty: nothing is limited. */
  async listStanding(tx: Transaction, memberId: string, day: string): Promise<QuotaStanding[]> {
    const found = await tx.one<{ rows: QuotaStanding[] | null }>(
      `SELECT json_agg(standing) AS rows FROM (
       SELECT quota.subject, quota.period, quota.max_tokens AS "maxTokens", quota.max_cost_usd AS "maxCostUsd",
         coalesce(used.tokens, 0) AS tokens, coalesce(used.cost_usd, 0) AS "costUsd"
       FROM quota LEFT JOIN usage_total AS used ON used.company_id = $1 AND used.period = quota.period
         AND used.subject = CASE quota.subject WHEN 'COMPANY' THEN 'COMPANY' ELSE $2::uuid::text END
         AND used.first_day = CASE quota.period WHEN 'DAY' THEN $3::date ELSE date_trunc('month', $3::date)::date END
       WHERE quota.company_id = $1 AND quota.subject IN ('COMPANY', 'EACH_MEMBER', $2::uuid::text)) AS standing`,
      [tx.companyId, memberId, day],
    );
    return found?.rows ?? [];
  }
}
