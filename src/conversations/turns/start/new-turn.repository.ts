import { Injectable } from '@nestjs/common';

import { Config } from '../../../common/config/config.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { Conversation } from '../../conversation.repository.js';
import { dataOf, type TurnEntry } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';

export interface NewQuestion {
  text: string;
  withheld: boolean;
  attachmentIds: readonly string[];
}

export interface NewTurnRows {
  turn: Turn;
  /** Its first events. */
  opening: readonly TurnEntry[];
  /** Null: it is stored. */
  question: NewQuestion | null;
  /** A new question stands at the end of the path that it shows. */
  conversation: Conversation;
  /** The turn begins the conversation. */
  isFirst: boolean;
}

const ADD_CONVERSATION = `
  INSERT INTO conversation (company_id, id, shown_branch_id, member_id, assistant_id, title, created_at, updated_at)
  VALUES ($1, $3, $20, $4, $29, $30, $31, $31)`;

const UNFINISHED = `status NOT IN (${TERMINAL_STATUSES})`;

const MOVE_CONVERSATION = 'UPDATE conversation SET updated_at = $13 WHERE company_id = $1 AND id = $3';

@Injectable()
export class NewTurnRepository {
  constructor(private readonly config: Config) {}

  /** Whether the member and the company have reached their limits of unfinished turns, not counting `others`. */
  async findFull(
    tx: Transaction,
    memberId: string,
    others: readonly string[],
    limits: { member: number; company: number },
  ): Promise<{ member: boolean; company: boolean }> {
    // Each reads the index of unfinished turns up to the one that fills the limit. The order makes the planner scan the
    // index itself, which removes entries of ended turns from it; a bitmap scan would leave them.
    const full = await tx.one<{ member: boolean; company: boolean }>(
      `SELECT EXISTS (SELECT FROM turn WHERE company_id = $1 AND member_id = $2 AND ${UNFINISHED}
           AND id <> ALL ($5::uuid[]) OFFSET $3) AS member,
         EXISTS (SELECT FROM turn WHERE company_id = $1 AND ${UNFINISHED}
           AND id <> ALL ($5::uuid[]) ORDER BY member_id OFFSET $4) AS company`,
      [tx.companyId, memberId, limits.member - 1, limits.company - 1, others],
    );
    if (!full) throw new Error('A SELECT without FROM gave no row.');
    return full;
  }

  /** A RUNNING turn is leased to this process. `idle_seconds` corrects its clock by the database's. */
  async insert(
    tx: Transaction,
    { turn, opening, question, conversation, isFirst }: NewTurnRows,
  ): Promise<void> {
    const { assistantId, title, createdAt } = conversation;
    await tx.query(
      `WITH place AS (${isFirst ? ADD_CONVERSATION : MOVE_CONVERSATION}),
       asked AS (
         INSERT INTO message (company_id, id, conversation_id, branch_id, turn_id, role, status, text, created_at,
           withheld, attachment_ids)
         SELECT $1, $6::uuid, $3, $20::uuid, $2::uuid, 'USER', 'COMPLETE', $19::text, $13::timestamptz, $21::boolean,
           $22::uuid[]
         WHERE $19::text IS NOT NULL),
       opened AS (
         INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
         SELECT $1, $2, event.position, $13, event.type, event.data
         FROM unnest($17::text[], $18::jsonb[]) WITH ORDINALITY AS event (type, data, position))
       INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status,
         idempotency_key, payload_hash, attempt, last_sequence, created_at, started_at, document_ids, lease_until,
         seen_at, idle_seconds, answer_schema, client_skills, schedule_id, trace_start, client,
         assistant_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
         now() + make_interval(secs => $16), CASE $8 WHEN 'RUNNING' THEN now() END,
         coalesce(extract(epoch FROM now() - $14::timestamptz), 0), $23, $24, $25, $26, $27,
         $28)`,
      [
        tx.companyId,
        turn.id,
        turn.conversationId,
        turn.memberId,
        turn.role,
        turn.questionId,
        turn.answerId,
        turn.status,
        turn.idempotencyKey,
        turn.payloadHash,
        turn.attempt,
        turn.lastSequence,
        turn.createdAt,
        turn.startedAt,
        turn.documentIds,
        turn.status === 'RUNNING' ? this.config.turns.leaseSeconds : 0,
        opening.map(({ type }) => type),
        opening.map(dataOf),
        question?.text ?? null,
        conversation.shownBranchId,
        question?.withheld ?? false,
        question && question.attachmentIds.length > 0 ? question.attachmentIds : null,
        turn.answerSchema && JSON.stringify(turn.answerSchema),
        turn.clientSkills && JSON.stringify(turn.clientSkills),
        turn.scheduleId,
        turn.traceStart,
        turn.client && JSON.stringify(turn.client),
        turn.assistantId,
        ...(isFirst ? [assistantId, title, createdAt] : []),
      ],
    );
  }
}
