import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import type { UsageGroup, UsageRow } from './usage.js';

/** What a group is called by in SQL. Null in a row of usage that is not grouped by it. */
const columns: Record<UsageGroup, string> = {
  DAY: 'day::text',
  MEMBER: 'member_id',
  ASSISTANT: 'assistant_key',
  MODEL: 'model',
};

/** What was used up. Rows are added with the model calls that they count: see ModelCallRepository. */
@Injectable()
export class UsageRepository {
  /** Of the days from `from` to `to`, both included, at most `limit` groups, in the order of their names. */
  async list(
    tx: Transaction,
    { from, to, groups, limit }: { from: string; to: string; groups: readonly UsageGroup[]; limit: number },
  ): Promise<UsageRow[]> {
    const column = (group: UsageGroup, name: string): string =>
      `${groups.includes(group) ? columns[group] : 'NULL'} AS "${name}"`;
    const keys = groups.map((group) => columns[group]).join(', ');
    const rows = await tx.query<UsageRow & { inputTokens: string; outputTokens: string; cached: string }>(
      `SELECT ${column('DAY', 'day')}, ${column('MEMBER', 'memberId')}, ${column('ASSISTANT', 'assistantKey')},
         ${column('MODEL', 'model')}, sum(model_calls)::int AS "modelCalls",
         sum(estimated_calls)::int AS "estimatedCalls", sum(unpriced_calls)::int AS "unpricedCalls",
         sum(input_tokens) AS "inputTokens", sum(output_tokens) AS "outputTokens", sum(cached_input_tokens) AS "cached",
         sum(cost_usd) AS "costUsd"
       FROM usage_day WHERE company_id = $1 AND day BETWEEN $2 AND $3
       ${keys === '' ? 'HAVING count(*) > 0' : `GROUP BY ${keys} ORDER BY ${keys}`} LIMIT $4`,
      [tx.companyId, from, to, limit],
    );
    return rows.map(({ cached, ...row }) => ({
      ...row,
      inputTokens: Number(row.inputTokens),
      outputTokens: Number(row.outputTokens),
      cachedInputTokens: Number(cached),
    }));
  }
}
