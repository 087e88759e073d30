import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CompanyRow, keyedRowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

export const quotaPeriods = ['DAY', 'MONTH'] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

export const quotaSubjects = ['COMPANY', 'EACH_MEMBER', 'MEMBER'] as const;
export type QuotaSubject = (typeof quotaSubjects)[number];

/** The installation's provider, where usage is counted by provider key. Company keys are in lower case. */
export const INSTALLATION = 'INSTALLATION';

/** The limit of a company or member for a day or month (UTC), for all models or one provider's. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Quota extends CompanyRow {
  /** COMPANY: all members together; EACH_MEMBER: every member without a quota of their own; or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @PrimaryColumn('text')
  period!: QuotaPeriod;

  /** The key of the company's provider, or INSTALLATION. Empty: all models. */
  @PrimaryColumn('text', { default: '' })
  provider!: string;

  /** Input and output tokens. Null: not limited by tokens. TypeORM reads bigint as text. */
  @Column('bigint', { nullable: true })
  maxTokens!: string | null;

  @Column('double precision', { nullable: true })
  maxCostUsd!: number | null;
}

/** A quota that applies to a member, with its usage. */
export interface QuotaStanding {
  subject: string;
  period: QuotaPeriod;
  provider: string;
  maxTokens: number | null;
  maxCostUsd: number | null;
  tokens: number;
  costUsd: number;
}

/** The requested provider: its key, INSTALLATION, or that of an assistant's model. */
export type Asked = { provider: string; assistantId?: never } | { provider?: never; assistantId: string };

@Injectable()
export class QuotaRepository extends keyedRowsOf(Quota) {
  /** Quotas of the company come first: their subject is shorter than an id. */
  listFirst(tx: Transaction, limit: number): Promise<Quota[]> {
    return this.list(tx, {}, `ORDER BY length(subject), subject, period, provider LIMIT ${limit}`);
  }

  async exists(tx: Transaction): Promise<boolean> {
    return (
      (await tx.one('SELECT true AS is FROM quota WHERE company_id = $1 LIMIT 1', [tx.companyId])) !== null
    );
  }

  /** The quotas that apply to the member and provider, with their usage in the periods of `day`. Empty: no limit. */
  async listStanding(
    tx: Transaction,
    memberId: string,
    { provider, assistantId }: Asked,
    day: string,
  ): Promise<QuotaStanding[]> {
    const found = await tx.one<{ rows: QuotaStanding[] | null }>(
      `SELECT json_agg(standing) AS rows FROM (
       SELECT quota.subject, quota.period, quota.provider, quota.max_tokens AS "maxTokens",
         quota.max_cost_usd AS "maxCostUsd", coalesce(used.tokens, 0) AS tokens, coalesce(used.cost_usd, 0) AS "costUsd"
       FROM quota CROSS JOIN LATERAL (
         SELECT sum(tokens)::bigint AS tokens, sum(cost_usd) AS cost_usd FROM provider_total AS total
         WHERE total.company_id = $1 AND total.period = quota.period AND quota.provider IN ('', total.provider)
           AND total.subject = CASE quota.subject WHEN 'COMPANY' THEN 'COMPANY' ELSE $2::uuid::text END
           AND total.first_day = CASE quota.period WHEN 'DAY' THEN $3::date ELSE date_trunc('month', $3::date)::date END
         ) AS used
       WHERE quota.company_id = $1 AND quota.subject IN ('COMPANY', 'EACH_MEMBER', $2::uuid::text)
         AND quota.provider IN ('', coalesce($4, (
           SELECT provider.key FROM assistant JOIN provider ON provider.company_id = $1
             AND starts_with(assistant.model, provider.key || '/')
           WHERE assistant.company_id = $1 AND assistant.id = $5::uuid), '${INSTALLATION}'))) AS standing`,
      [tx.companyId, memberId, day, provider ?? null, assistantId ?? null],
    );
    return found?.rows ?? [];
  }
}
