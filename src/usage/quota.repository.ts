import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { Quota, type QuotaPeriod } from './quota.entity.js';

/** A quota that holds for a member, and what of it is used up. */
export interface QuotaStanding {
  subject: string;
  period: QuotaPeriod;
  maxTokens: number | null;
  maxCostUsd: number | null;
  tokens: number;
  costUsd: number;
}

@Injectable()
export class QuotaRepository {
  /** The company's first: its name is shorter than an id. At most `limit`. */
  list(tx: Transaction, limit: number): Promise<Quota[]> {
    return tx.select(Quota, 'company_id = $1 ORDER BY length(subject), subject, period LIMIT $2', [
      tx.companyId,
      limit,
    ]);
  }

  /** The quota, held until `tx` ends; null: nothing is granted by it. */
  async lock(tx: Transaction, { subject, period }: Pick<Quota, 'subject' | 'period'>): Promise<Quota | null> {
    const condition = 'company_id = $1 AND subject = $2 AND period = $3 FOR UPDATE';
    const [quota] = await tx.select(Quota, condition, [tx.companyId, subject, period]);
    return quota ?? null;
  }

  async exists(tx: Transaction): Promise<boolean> {
    const found = await tx.query('SELECT FROM quota WHERE company_id = $1 LIMIT 1', [tx.companyId]);
    return found.length > 0;
  }

  /** Those of the company and of the member, or of each member, as of `day`. None: nothing is limited. */
  async listStanding(tx: Transaction, memberId: string, day: string): Promise<QuotaStanding[]> {
    const rows = await tx.query<Record<keyof QuotaStanding, string | number | null>>(
      `SELECT quota.subject, quota.period, quota.max_tokens AS "maxTokens", quota.max_cost_usd AS "maxCostUsd",
         used.tokens, used.cost AS "costUsd"
       FROM quota CROSS JOIN LATERAL (
         SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(cost_usd), 0) AS cost
         FROM usage_day
         WHERE usage_day.company_id = $1 AND (quota.subject = 'COMPANY' OR usage_day.member_id = $2)
           AND day >= CASE quota.period WHEN 'DAY' THEN $3::date ELSE date_trunc('month', $3::date)::date END
       ) AS used
       WHERE quota.company_id = $1 AND quota.subject IN ('COMPANY', 'EACH_MEMBER', $2::uuid::text)`,
      [tx.companyId, memberId, day],
    );
    return rows.map((row) => ({
      subject: String(row.subject),
      period: row.period as QuotaPeriod,
      maxTokens: row.maxTokens === null ? null : Number(row.maxTokens),
      maxCostUsd: row.maxCostUsd === null ? null : Number(row.maxCostUsd),
      tokens: Number(row.tokens),
      costUsd: Number(row.costUsd),
    }));
  }

  async put(tx: Transaction, quota: Omit<Quota, 'companyId'>): Promise<void> {
    await tx.query(
      `INSERT INTO quota (company_id, subject, period, max_tokens, max_cost_usd) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (company_id, subject, period) DO UPDATE SET max_tokens = $4, max_cost_usd = $5`,
      [tx.companyId, quota.subject, quota.period, quota.maxTokens, quota.maxCostUsd],
    );
  }

  async remove(tx: Transaction, { subject, period }: Pick<Quota, 'subject' | 'period'>): Promise<void> {
    await tx.query('DELETE FROM quota WHERE company_id = $1 AND subject = $2 AND period = $3', [
      tx.companyId,
      subject,
      period,
    ]);
  }
}
