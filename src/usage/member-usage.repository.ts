import { Injectable } from '@nestjs/common';

import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';

export interface UsedDay {
  /** `2026-01-31`. */
  day: string;
  assistantKey: string;
  model: string;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  costUsd: number;
}

const DAYS_A_PAGE = 100;

@Injectable()
export class MemberUsageRepository {
  /** What a member used up, oldest first, some whole days after the day `after`; `next` is the last of them. */
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

  /** Has what a member used up count as another one's, and removes what was granted to them alone. */
  async give(tx: Transaction, memberId: string, otherId: string): Promise<void> {
    await together([
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
      tx.query('DELETE FROM quota WHERE company_id = $1 AND subject = $2', [tx.companyId, memberId]),
    ]);
  }
}
