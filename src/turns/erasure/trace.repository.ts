import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ApprovalTrace,
  type EventTrace,
  MEMORY_SKILLS,
  type PromptTrace,
  type SkillCallTrace,
  type Traces,
} from './traces.js';

const CALL_COLUMNS = `id, skill, arguments, preamble, model_call_id AS "modelCallId",
  model_arguments AS "modelArguments"`;

/** What an answer is made of stays with the answer. */
const EVENTS_OF_ANSWERS = `('text-delta', 'text-reset', 'sources-found', 'turn-done')`;

@Injectable()
export class TraceRepository {
  /** Of these turns, those that called a memory skill, or that keep one of the needles. */
  async listTurnsWith(
    tx: Transaction,
    turnIds: readonly string[],
    needles: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM unnest($2::uuid[]) AS turn (id)
       WHERE EXISTS (SELECT FROM skill_call WHERE company_id = $1 AND turn_id = turn.id AND (skill = ANY ($3)
           OR EXISTS (SELECT FROM unnest($4::text[]) AS needle WHERE position(needle IN concat_ws(' ',
             arguments::text, model_arguments, preamble, result, details::text)) > 0)))
         OR EXISTS (SELECT FROM approval WHERE company_id = $1 AND turn_id = turn.id AND skill = ANY ($3))
         OR EXISTS (SELECT FROM model_call, unnest($4::text[]) AS needle
           WHERE company_id = $1 AND turn_id = turn.id AND position(needle IN messages::text) > 0)
       ORDER BY id`,
      [tx.companyId, turnIds, MEMORY_SKILLS, needles],
    );
    return rows.map(({ id }) => id);
  }

  /** Of these turns, the answers to questions that are withheld, and the messages that say one of the texts. */
  async listToWithhold(
    tx: Transaction,
    turnIds: readonly string[],
    texts: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT message.id FROM turn
       JOIN message AS question ON question.company_id = $1 AND question.id = turn.question_id
       JOIN message ON message.company_id = $1 AND message.id IN (turn.question_id, turn.answer_id)
       WHERE turn.company_id = $1 AND turn.id = ANY ($2) AND NOT message.withheld AND (question.withheld
         OR EXISTS (SELECT FROM unnest($3::text[]) AS told WHERE position(told IN message.text) > 0))`,
      [tx.companyId, turnIds, texts],
    );
    return rows.map(({ id }) => id);
  }

  /** What nobody is about to write or to read on: calls under way and open questions are left as they are. */
  async read(tx: Transaction, turnId: string): Promise<Traces> {
    const values = [tx.companyId, turnId];
    const [calls, approvals, events, prompts] = await together([
      tx.query<SkillCallTrace>(
        `SELECT ${CALL_COLUMNS}, result, result_preview AS "resultPreview", details FROM skill_call
         WHERE company_id = $1 AND turn_id = $2 AND status <> 'RUNNING' ORDER BY id FOR UPDATE`,
        values,
      ),
      tx.query<ApprovalTrace>(
        `SELECT ${CALL_COLUMNS}, reason, comment FROM approval
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
    return { calls, approvals, events, prompts };
  }

  /** Stores rows of a turn that are other than they were. */
  async write(tx: Transaction, turnId: string, { calls, approvals, events, prompts }: Traces): Promise<void> {
    for (const call of calls) await this.writeCall(tx, call);
    for (const approval of approvals) await this.writeApproval(tx, approval);
    for (const { sequence, data } of events) {
      await tx.query(
        'UPDATE turn_event SET data = $4 WHERE company_id = $1 AND turn_id = $2 AND sequence = $3',
        [tx.companyId, turnId, sequence, JSON.stringify(data)],
      );
    }
    for (const { id, messages } of prompts) {
      await tx.query(
        'UPDATE model_call SET messages = $4 WHERE company_id = $1 AND turn_id = $2 AND id = $3',
        [tx.companyId, turnId, id, JSON.stringify(messages)],
      );
    }
  }

  private async writeCall(tx: Transaction, call: SkillCallTrace): Promise<void> {
    await tx.query(
      `UPDATE skill_call SET arguments = $3, model_arguments = $4, preamble = $5, result = $6, result_preview = $7,
         details = $8 WHERE company_id = $1 AND id = $2`,
      [
        tx.companyId,
        call.id,
        JSON.stringify(call.arguments),
        call.modelArguments,
        call.preamble,
        call.result,
        call.resultPreview,
        call.details === null ? null : JSON.stringify(call.details),
      ],
    );
  }

  private async writeApproval(tx: Transaction, approval: ApprovalTrace): Promise<void> {
    await tx.query(
      `UPDATE approval SET arguments = $3, model_arguments = $4, preamble = $5, reason = $6, comment = $7
       WHERE company_id = $1 AND id = $2`,
      [
        tx.companyId,
        approval.id,
        JSON.stringify(approval.arguments),
        approval.modelArguments,
        approval.preamble,
        approval.reason,
        approval.comment,
      ],
    );
  }
}
