import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@palabre/json';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import {
  type InputTrace,
  type EventTrace,
  MEMORY_SKILLS,
  type PromptTrace,
  type SkillCallTrace,
  type Traces,
} from './erased-traces.js';
import { ERASED } from './eraser.js';
import { SkillCall } from '../skill-call.entity.js';
import { PendingInput } from '../inputs/pending-input.entity.js';
import { TurnEventRow } from '../log/turn-event.entity.js';
import { ModelCall } from '../model-calls/model-call.entity.js';

const CALL_COLUMNS = `id, skill, arguments, preamble, model_call_id AS "modelCallId",
  model_arguments AS "modelArguments"`;

/** Events that are part of the answer and stay with it. */
const EVENTS_OF_ANSWERS = `('text-delta', 'reasoning-delta', 'text-reset', 'sources-found', 'turn-done')`;

/** SQL: the citations in `list`, with the quotes of one document erased. */
function withoutQuotes(list: string): string {
  return `(
  SELECT jsonb_agg(CASE cited ->> 'documentId' WHEN $3 THEN cited || jsonb_build_object('quote', $4::text) ELSE cited END
    ORDER BY place)
  FROM jsonb_array_elements(${list}) WITH ORDINALITY AS listed (cited, place))`;
}

@Injectable()
export class TraceRepository {
  /** Those of the turns that called a memory skill or contain one of the needles. */
  async listTurnsWith(
    tx: Transaction,
    turnIds: readonly string[],
    needles: readonly string[],
  ): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM unnest($2::uuid[]) AS turn (id)
       WHERE EXISTS (SELECT FROM skill_call WHERE company_id = $1 AND turn_id = turn.id AND (skill = ANY ($3)
           OR EXISTS (SELECT FROM unnest($4::text[]) AS needle WHERE position(needle IN concat_ws(' ',
             arguments::text, model_arguments, preamble, result, details::text)) > 0)))
         OR EXISTS (SELECT FROM pending_input WHERE company_id = $1 AND turn_id = turn.id AND (skill = ANY ($3)
           OR EXISTS (SELECT FROM unnest($4::text[]) AS needle WHERE position(needle IN concat_ws(' ',
             arguments::text, model_arguments, preamble, reason, comment, request::text, answer::text)) > 0)))
         OR EXISTS (SELECT FROM model_call, unnest($4::text[]) AS needle
           WHERE company_id = $1 AND turn_id = turn.id AND position(needle IN messages::text) > 0)
       ORDER BY id`,
      [tx.companyId, turnIds, MEMORY_SKILLS, needles],
    );
  }

  /** Messages of these turns to withhold: answers to withheld questions, and messages that contain one of the texts. */
  async listToWithhold(
    tx: Transaction,
    turnIds: readonly string[],
    texts: readonly string[],
  ): Promise<string[]> {
    return tx.ids(
      `SELECT message.id FROM turn
       JOIN message AS question ON question.company_id = $1 AND question.id = turn.question_id
       JOIN message ON message.company_id = $1 AND message.id IN (turn.question_id, turn.answer_id)
       WHERE turn.company_id = $1 AND turn.id = ANY ($2) AND NOT message.withheld AND (question.withheld
         OR EXISTS (SELECT FROM unnest($3::text[]) AS told WHERE position(told IN concat_ws(' ', message.text,
           (SELECT string_agg(part ->> 'text', ' ') FROM jsonb_array_elements(message.parts) AS part))) > 0))`,
      [tx.companyId, turnIds, texts],
    );
  }

  /** Reads and locks the turn's rows. Running calls and open questions are left out, as others still write them. */
  async read(tx: Transaction, turnId: string): Promise<Traces> {
    const values = [tx.companyId, turnId];
    const [calls, inputs, events, prompts] = await awaitAll([
      tx.query<SkillCallTrace>(
        `SELECT ${CALL_COLUMNS}, result, result_preview AS "resultPreview", details FROM skill_call
         WHERE company_id = $1 AND turn_id = $2 AND status <> 'RUNNING' ORDER BY id FOR UPDATE`,
        values,
      ),
      tx.query<InputTrace>(
        `SELECT ${CALL_COLUMNS}, reason, comment, request, answer FROM pending_input
         WHERE company_id = $1 AND turn_id = $2 AND status <> 'PENDING' ORDER BY id FOR UPDATE`,
        values,
      ),
      tx.query<EventTrace>(
        `SELECT sequence, data FROM turn_event
         WHERE company_id = $1 AND turn_id = $2 AND type NOT IN ${EVENTS_OF_ANSWERS} ORDER BY sequence`,
        values,
      ),
      tx.query<PromptTrace>(
        'SELECT id, messages FROM model_call WHERE company_id = $1 AND turn_id = $2 ORDER BY id',
        values,
      ),
    ]);
    return { calls, inputs, events, prompts };
  }

  async write(tx: Transaction, turnId: string, { calls, inputs, events, prompts }: Traces): Promise<void> {
    for (const call of calls) await this.writeCall(tx, call);
    for (const input of inputs) await this.writeInput(tx, input);
    for (const { sequence, data } of events) await tx.update(TurnEventRow, { turnId, sequence }, { data });
    for (const { id, messages } of prompts) await tx.update(ModelCall, { turnId, id }, { messages });
  }

  /** Results of skill calls in these turns that mention the document's id. */
  async listResultsNaming(
    tx: Transaction,
    turnIds: readonly string[],
    documentId: string,
  ): Promise<JsonValue[]> {
    const rows = await tx.query<{ result: string | null; details: JsonValue | null }>(
      `SELECT result, details FROM skill_call WHERE company_id = $1 AND turn_id = ANY ($2)
         AND position($3 IN concat_ws(' ', result, details::text)) > 0`,
      [tx.companyId, turnIds, documentId],
    );
    return rows.flatMap(({ result, details }) => [parsedOrNull(result), details]);
  }

  async eraseQuotes(tx: Transaction, turnIds: readonly string[], documentId: string): Promise<void> {
    const values = [tx.companyId, turnIds, documentId, ERASED];
    await tx.query(
      `UPDATE message SET citations = ${withoutQuotes('citations')}
       WHERE company_id = $1 AND turn_id = ANY ($2)
         AND citations @> jsonb_build_array(jsonb_build_object('documentId', $3::text))`,
      values,
    );
    await tx.query(
      `UPDATE turn_event SET data = jsonb_set(data, '{sources}', ${withoutQuotes(`data -> 'sources'`)})
       WHERE company_id = $1 AND turn_id = ANY ($2) AND type = 'sources-found'
         AND data -> 'sources' @> jsonb_build_array(jsonb_build_object('documentId', $3::text))`,
      values,
    );
  }

  private async writeCall(tx: Transaction, call: SkillCallTrace): Promise<void> {
    const { id, arguments: input, modelArguments, preamble, result, resultPreview, details } = call;
    const texts = { arguments: input, modelArguments, preamble, result, resultPreview, details };
    await tx.update(SkillCall, { id }, texts);
  }

  private async writeInput(tx: Transaction, input: InputTrace): Promise<void> {
    const { id, modelCallId: _id, skill: _skill, ...texts } = input;
    await tx.update(PendingInput, { id }, texts);
  }
}

function parsedOrNull(text: string | null): JsonValue {
  try {
    return text === null ? null : (JSON.parse(text) as JsonValue);
  } catch {
    return null;
  }
}
