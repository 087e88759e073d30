import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Quota } from './quota.repository.js';
import type { UsageDay, UsageGroup } from './usage.entity.js';
import type { UsageRowModel } from './usage.model.js';

const columns: Record<UsageGroup, string> = {
  DAY: 'day::text',
  MEMBER: 'member_id',
  ASSISTANT: 'assistant_key',
  MODEL: 'model',
};

/** A sum, capped at the largest GraphQL Int. */
function count(column: string): string {
  return `least(sum(${column}), 2147483647)::int`;
}

/** Reads usage, and moves that of an erased member. ModelCallRepository adds to it, together with the model calls. */
@Injectable()
export class UsageRepository {
  /** The usage from day `from` to day `to`, both included: at most `limit` groups, in the order of their names. */
  async list(
    tx: Transaction,
    { from, to, groups, limit }: { from: string; to: string; groups: readonly UsageGroup[]; limit: number },
  ): Promise<UsageRowModel[]> {
    const column = (group: UsageGroup, name: string): string =>
      `${groups.includes(group) ? columns[group] : 'NULL'} AS "${name}"`;
    const keys = groups.map((group) => columns[group]).join(', ');
    return tx.query<UsageRowModel>(
      `SELECT ${column('DAY', 'day')}, ${column('MEMBER', 'memberId')}, ${column('ASSISTANT', 'assistantKey')},
         ${column('MODEL', 'model')}, ${count('model_calls')} AS "modelCalls",
         ${count('estimated_calls')} AS "estimatedCalls", ${count('unpriced_calls')} AS "unpricedCalls",
         sum(input_tokens)::float8 AS "inputTokens", sum(output_tokens)::float8 AS "outputTokens",
         sum(cached_input_tokens)::float8 AS "cachedInputTokens", sum(cost_usd) AS "costUsd"
       FROM usage_day WHERE company_id = $1 AND day BETWEEN $2 AND $3
       ${keys === '' ? 'HAVING count(*) > 0' : `GROUP BY ${keys} ORDER BY ${keys}`} LIMIT $4`,
      [tx.companyId, from, to, limit],
    );
  }

  /** A page of a member's usage, in whole days after the day `after`. `next` is the last day of the page. */
  async listDays(
    tx: Transaction,
    memberId: string,
    after: string | null,
  ): Promise<{ days: UsedDay[]; next: string | null }> {
    const days = await tx.query<UsedDay>(
      `SELECT day::text, assistant_key AS "assistantKey", model, model_calls AS "modelCalls",
         input_tokens::float8 AS "inputTokens", output_tokens::float8 AS "outputTokens",
         cached_input_tokens::float8 AS "cachedInputTokens", cost_usd AS "costUsd"
       FROM usage_day WHERE company_id = $1 AND member_id = $2 AND day IN (
         SELECT DISTINCT day FROM usage_day
         WHERE company_id = $1 AND member_id = $2 AND ($3::date IS NULL OR day > $3) ORDER BY day LIMIT $4)
       ORDER BY usage_day.day, assistant_key, model`,
      [tx.companyId, memberId, after, DAYS_A_PAGE],
    );
    return { days, next: days.at(-1)?.day ?? null };
  }

  /** Adds a member's usage to that of another, and deletes the quotas of the first. */
  async reassign(tx: Transaction, memberId: string, otherId: string): Promise<void> {
    await awaitAll([
      tx.query(
        `WITH used AS (DELETE FROM usage_day WHERE company_id = $1 AND member_id = $2 RETURNING *)
         INSERT INTO usage_day AS total (company_id, day, member_id, assistant_key, model, model_calls,
           estimated_calls, unpriced_calls, input_tokens, output_tokens, cached_input_tokens, cost_usd)
         SELECT company_id, day, $3, assistant_key, model, model_calls, estimated_calls, unpriced_calls,
           input_tokens, output_tokens, cached_input_tokens, cost_usd FROM used
         ON CONFLICT (company_id, day, member_id, assistant_key, model) DO UPDATE SET
           model_calls = total.model_calls + excluded.model_calls,
           estimated_calls = total.estimated_calls + excluded.estimated_calls,
           unpriced_calls = total.unpriced_calls + excluded.unpriced_calls,
           input_tokens = total.input_tokens + excluded.input_tokens,
           output_tokens = total.output_tokens + excluded.output_tokens,
           cached_input_tokens = total.cached_input_tokens + excluded.cached_input_tokens,
           cost_usd = total.cost_usd + excluded.cost_usd`,
        [tx.companyId, memberId, otherId],
      ),
      tx.query(
        `WITH used AS (DELETE FROM provider_total WHERE company_id = $1 AND subject = $2 RETURNING *)
         INSERT INTO provider_total AS total (company_id, subject, period, first_day, provider, tokens, cost_usd)
         SELECT company_id, $3, period, first_day, provider, tokens, cost_usd FROM used
         ON CONFLICT (company_id, subject, period, first_day, provider) DO UPDATE SET
           tokens = total.tokens + excluded.tokens, cost_usd = total.cost_usd + excluded.cost_usd`,
        [tx.companyId, memberId, otherId],
      ),
      tx.delete(Quota, { subject: memberId }),
    ]);
  }
}

type UsedDay = Omit<UsageRowModel, 'memberId' | 'estimatedCalls' | 'unpricedCalls'> & Pick<UsageDay, 'day'>;

const DAYS_A_PAGE = 100;
