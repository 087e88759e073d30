import { Injectable } from '@nestjs/common';

import { asColumns, type Transaction } from '../../../platform/database/transaction.js';
import { ModelCall } from './model-call.entity.js';
import { asidePurposes, type StoredModelCall } from './model-call.js';
import type { StoredPrompt } from './stored-prompts.js';

export interface TurnModelCall {
  companyId: string;
  turnId: string;
  call: StoredModelCall;
}

/** The same with its stored prompt; null: the call is only counted. */
export interface ModelCallRow extends TurnModelCall {
  prompt: StoredPrompt | null;
}

/** SQL after the CTE `call`: adds the calls' usage to their days and to the totals. */
const COUNT_USAGE = `
  used AS (
    SELECT company_id, (at AT TIME ZONE 'UTC')::date AS day, member_id, assistant_key, model, count(*) AS calls,
      count(*) FILTER (WHERE source = 'ESTIMATED') AS estimated, count(*) FILTER (WHERE cost_usd IS NULL) AS unpriced,
      sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
      sum(cached_input_tokens) AS cached_input_tokens, coalesce(sum(cost_usd), 0) AS cost_usd
    FROM call GROUP BY 1, 2, 3, 4, 5),
  counted AS (
    INSERT INTO usage_day AS total (company_id, day, member_id, assistant_key, model, model_calls,
      estimated_calls, unpriced_calls, input_tokens, output_tokens, cached_input_tokens, cost_usd)
    -- In the same order everywhere, or two replicas would deadlock.
    SELECT * FROM used ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (company_id, day, member_id, assistant_key, model) DO UPDATE SET
      model_calls = total.model_calls + excluded.model_calls,
      estimated_calls = total.estimated_calls + excluded.estimated_calls,
      unpriced_calls = total.unpriced_calls + excluded.unpriced_calls,
      input_tokens = total.input_tokens + excluded.input_tokens,
      output_tokens = total.output_tokens + excluded.output_tokens,
      cached_input_tokens = total.cached_input_tokens + excluded.cached_input_tokens,
      cost_usd = total.cost_usd + excluded.cost_usd
    RETURNING company_id, day, member_id, assistant_key, model)
  INSERT INTO provider_total AS total (company_id, subject, period, first_day, provider, tokens, cost_usd)
  SELECT company_id, subject, period, first_day, provider, sum(call.input_tokens + call.output_tokens),
    coalesce(sum(call.cost_usd), 0)
  -- Joined to what was counted, so that rows of days are always locked before those of totals.
  FROM counted JOIN call USING (company_id, member_id, assistant_key, model),
    LATERAL (VALUES ('COMPANY'), (member_id::text)) AS whose (subject),
    LATERAL (VALUES ('DAY', day), ('MONTH', date_trunc('month', day)::date)) AS span (period, first_day)
  WHERE (at AT TIME ZONE 'UTC')::date = day
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (company_id, subject, period, first_day, provider) DO UPDATE SET
    tokens = total.tokens + excluded.tokens, cost_usd = total.cost_usd + excluded.cost_usd`;

@Injectable()
export class ModelCallRepository {
  /** Adds usage to days and totals, at the end of `tx`, as it locks those rows. `condition`: SQL about each call. */
  insert(tx: Transaction, rows: readonly ModelCallRow[], condition: string): void {
    tx.last(
      `WITH call AS (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS call (company_id uuid, turn_id uuid, id uuid, purpose text,
           model text, provider text, kept int, messages jsonb, tools text, input_tokens int, output_tokens int,
           cached_input_tokens int, reasoning_tokens int, source text, cost_usd double precision, outcome text,
           duration_ms int, at timestamptz, member_id uuid, assistant_key text)
         WHERE ${condition}),
       stored AS (
         INSERT INTO model_call (company_id, turn_id, id, purpose, model, kept, messages, tools, input_tokens,
           output_tokens, cached_input_tokens, reasoning_tokens, source, cost_usd, outcome, duration_ms, at)
         SELECT company_id, turn_id, id, purpose, model, kept, messages, tools, input_tokens,
           output_tokens, cached_input_tokens, reasoning_tokens, source, cost_usd, outcome, duration_ms, at
         FROM call WHERE messages IS NOT NULL),
       ${COUNT_USAGE}`,
      [JSON.stringify(rows.map(recordOf))],
    );
  }

  /** At most `limit` calls in the order of their start. The turn's own have precedence over those made beside it. */
  async list(tx: Transaction, turnId: string, limit: number): Promise<ModelCall[]> {
    const found = await tx.select(
      ModelCall,
      'company_id = $1 AND turn_id = $2 ORDER BY purpose = ANY ($3), id LIMIT $4',
      [tx.companyId, turnId, asidePurposes, limit],
    );
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The reasoning tokens of the turn's calls, without those made beside it. */
  async countReasoning(tx: Transaction, turnId: string): Promise<number> {
    const counted = await tx.one<{ tokens: number }>(
      `SELECT coalesce(sum(reasoning_tokens), 0)::int AS tokens FROM model_call
       WHERE company_id = $1 AND turn_id = $2 AND NOT purpose = ANY ($3)`,
      [tx.companyId, turnId, asidePurposes],
    );
    return counted?.tokens ?? 0;
  }

  /** Keeps the turn from being deleted until `tx` ends. False: it is gone. */
  async holdTurn(tx: Transaction, turnId: string): Promise<boolean> {
    // The weakest lock that still conflicts with deleting the conversation.
    return tx.any(
      `SELECT FROM conversation WHERE company_id = $1
         AND id = (SELECT conversation_id FROM turn WHERE company_id = $1 AND id = $2) FOR SHARE`,
      [tx.companyId, turnId],
    );
  }

  /** Keeps the member from being removed until `tx` ends. False: they are gone. */
  async holdMember(tx: Transaction, id: string): Promise<boolean> {
    return tx.any('SELECT FROM member WHERE company_id = $1 AND id = $2 FOR KEY SHARE', [tx.companyId, id]);
  }
}

function recordOf({ companyId, turnId, call, prompt }: ModelCallRow): object {
  const { usage, ...rest } = call;
  const { messages = null, tools = null } = prompt ?? {};
  return asColumns({ ...rest, ...usage, companyId, turnId, messages, tools });
}
