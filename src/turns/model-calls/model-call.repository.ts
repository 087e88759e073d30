import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { asidePurposes, type StoredModelCall } from './model-call.js';
import { ModelCall } from './model-call.entity.js';
import type { StoredPrompt } from './stored-messages.js';

/** A call, and the turn that it was made for. */
export interface TurnModelCall {
  companyId: string;
  turnId: string;
  call: StoredModelCall;
}

/** The same with its prompt as it is stored; null: the call is counted, and nothing is kept of it. */
export interface ModelCallRow extends TurnModelCall {
  prompt: StoredPrompt | null;
}

@Injectable()
export class ModelCallRepository {
  /**
   * Of turns of any companies, with what they add to the usage of their days, at the end of `tx`: a member may have many
   * turns under way. `condition`: in SQL, of each call.
   */
  insert(tx: Transaction, rows: readonly ModelCallRow[], condition: string): void {
    tx.last(
      `WITH call AS (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS call (company_id uuid, turn_id uuid, id uuid, purpose text,
           model text, kept int, messages jsonb, tools text, input_tokens int, output_tokens int,
           cached_input_tokens int, reasoning_tokens int, source text, cost_usd double precision, outcome text,
           duration_ms int, at timestamptz, member_id uuid, assistant_key text)
         WHERE ${condition}),
       stored AS (
         INSERT INTO model_call (company_id, turn_id, id, purpose, model, kept, messages, tools, input_tokens,
           output_tokens, cached_input_tokens, reasoning_tokens, source, cost_usd, outcome, duration_ms, at)
         SELECT company_id, turn_id, id, purpose, model, kept, messages, tools, input_tokens,
           output_tokens, cached_input_tokens, reasoning_tokens, source, cost_usd, outcome, duration_ms, at
         FROM call WHERE messages IS NOT NULL)
       INSERT INTO usage_day AS total (company_id, day, member_id, assistant_key, model, model_calls, estimated_calls,
         unpriced_calls, input_tokens, output_tokens, cached_input_tokens, cost_usd)
       SELECT company_id, (at AT TIME ZONE 'UTC')::date, member_id, assistant_key, model, count(*),
         count(*) FILTER (WHERE source = 'ESTIMATED'), count(*) FILTER (WHERE cost_usd IS NULL), sum(input_tokens),
         sum(output_tokens), sum(cached_input_tokens), coalesce(sum(cost_usd), 0)
       FROM call GROUP BY 1, 2, 3, 4, 5
       -- In the same order everywhere, or two replicas would wait for each other's rows.
       ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT (company_id, day, member_id, assistant_key, model) DO UPDATE SET
         model_calls = total.model_calls + excluded.model_calls,
         estimated_calls = total.estimated_calls + excluded.estimated_calls,
         unpriced_calls = total.unpriced_calls + excluded.unpriced_calls,
         input_tokens = total.input_tokens + excluded.input_tokens,
         output_tokens = total.output_tokens + excluded.output_tokens,
         cached_input_tokens = total.cached_input_tokens + excluded.cached_input_tokens,
         cost_usd = total.cost_usd + excluded.cost_usd`,
      [JSON.stringify(rows.map(recordOf))],
    );
  }

  /** At most `limit`, the turn's own before those made beside it; in the order in which they were begun. */
  async list(tx: Transaction, turnId: string, limit: number): Promise<ModelCall[]> {
    const found = await tx.select(
      ModelCall,
      'company_id = $1 AND turn_id = $2 ORDER BY purpose = ANY ($3), id LIMIT $4',
      [tx.companyId, turnId, asidePurposes, limit],
    );
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Keeps the turn from being removed until `tx` is over. False: it is gone. */
  async holdTurn(tx: Transaction, turnId: string): Promise<boolean> {
    // As weak as it may be, and yet not together with what deletes a conversation.
    const held = await tx.query(
      `SELECT FROM conversation WHERE company_id = $1
         AND id = (SELECT conversation_id FROM turn WHERE company_id = $1 AND id = $2) FOR SHARE`,
      [tx.companyId, turnId],
    );
    return held.length > 0;
  }

  /** Removes those of a conversation's turns: there is no foreign key that would. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await tx.query(
      `DELETE FROM model_call WHERE company_id = $1 AND turn_id IN
         (SELECT id FROM turn WHERE company_id = $1 AND conversation_id = $2)`,
      [tx.companyId, conversationId],
    );
  }
}

const recordOf = ({ companyId, turnId, call, prompt }: ModelCallRow): object => ({
  company_id: companyId,
  turn_id: turnId,
  id: call.id,
  purpose: call.purpose,
  model: call.model,
  kept: call.kept,
  messages: prompt?.messages ?? null,
  tools: prompt?.tools ?? null,
  input_tokens: call.usage.inputTokens,
  output_tokens: call.usage.outputTokens,
  cached_input_tokens: call.usage.cachedInputTokens,
  reasoning_tokens: call.usage.reasoningTokens,
  source: call.usage.source,
  cost_usd: call.costUsd,
  outcome: call.outcome,
  duration_ms: call.durationMs,
  at: call.at,
  member_id: call.memberId,
  assistant_key: call.assistantKey,
});
