import { Injectable } from '@nestjs/common';

import { Config } from '../../common/config/config.js';
import { existing } from '../../common/errors/domain-error.js';
import { rowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Conversation } from '../conversation.repository.js';
import { dataOf, terminalStatuses, type TurnEntry, type Unanswered } from './turn-event.js';
import { Turn } from './turn.entity.js';

/** SQL list of the statuses of ended turns. */
export const TERMINAL_STATUSES = terminalStatuses.map((status) => `'${status}'`).join(', ');

/** SQL condition: the turn keeps its conversation busy. Ended and background turns do not. */
export function isBusy(turn: string): string {
  return `${turn}.status NOT IN (${TERMINAL_STATUSES}) AND ${turn}.background_at IS NULL`;
}

export interface NewQuestion {
  text: string;
  withheld: boolean;
  attachmentIds: readonly string[];
}

interface NewTurnRows {
  turn: Turn;
  /** The turn's first events. */
  opening: readonly TurnEntry[];
  /** Null: it is stored already. */
  question: NewQuestion | null;
  /** A new question is at the end of its shown path. */
  conversation: Conversation;
  /** The turn begins the conversation. */
  isFirst: boolean;
}

const ADD_CONVERSATION = `
  INSERT INTO conversation (company_id, id, shown_branch_id, member_id, assistant_id, title, created_at, updated_at)
  VALUES ($1, $3, $20, $4, $29, $30, $31, $31)`;

const MOVE_CONVERSATION = 'UPDATE conversation SET updated_at = $13 WHERE company_id = $1 AND id = $3';

@Injectable()
export class TurnRepository extends rowsOf(Turn) {
  constructor(private readonly config: Config) {
    super();
  }

  async get(tx: Transaction, id: string): Promise<Turn> {
    return existing(await this.find(tx, { id }), 'turn');
  }

  /**
   * Locks a conversation, which comes before its turns in the order of locks. FOR UPDATE would block foreign key checks
   * of turns that are updated twice.
   */
  async holdConversation(tx: Transaction, id: string): Promise<void> {
    await tx.lock(Conversation, { id });
  }

  /** Unfinished turns of these conversations, in the order of their questions. */
  listUnfinished(tx: Transaction, conversationIds: readonly string[]): Promise<Turn[]> {
    return tx.select(
      Turn,
      `company_id = $1 AND conversation_id = ANY ($2) AND status NOT IN (${TERMINAL_STATUSES}) ORDER BY id`,
      [tx.companyId, conversationIds],
    );
  }

  /** The turns among these that have no answer, and have ended or are in the background. */
  listUnanswered(tx: Transaction, ids: readonly string[]): Promise<{ id: string; why: Unanswered }[]> {
    return tx.query(
      `SELECT id, CASE WHEN status NOT IN (${TERMINAL_STATUSES}) THEN 'IN_BACKGROUND'
         WHEN status = 'CANCELLED' THEN finish_reason ELSE 'FAILED' END AS why
       FROM turn WHERE company_id = $1 AND id = ANY ($2)
         AND (background_at IS NOT NULL OR status IN (${TERMINAL_STATUSES}))
         AND NOT EXISTS (
           SELECT FROM message WHERE company_id = $1 AND id = turn.answer_id AND text ~ '\\S')`,
      [tx.companyId, ids],
    );
  }

  /** The first turns that keep the conversation busy, in the order in which they are answered. */
  async listBusyIds(tx: Transaction, conversationId: string, limit: number): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM turn WHERE company_id = $1 AND conversation_id = $2 AND ${isBusy('turn')}
       ORDER BY id LIMIT $3`,
      [tx.companyId, conversationId, limit],
    );
  }

  /** The id of the last turn's answer, which may not be stored yet; without turns, of the last imported message. */
  async lastId(tx: Transaction, conversationId: string): Promise<string | null> {
    const last = await tx.one<{ id: string | null }>(
      `SELECT COALESCE(
         (SELECT answer_id FROM turn WHERE company_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 1),
         (SELECT id FROM message WHERE company_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 1)) AS id`,
      [tx.companyId, conversationId],
    );
    return last?.id ?? null;
  }

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
      `SELECT EXISTS (SELECT FROM turn WHERE company_id = $1 AND member_id = $2 AND status NOT IN (${TERMINAL_STATUSES})
           AND id <> ALL ($5::uuid[]) OFFSET $3) AS member,
         EXISTS (SELECT FROM turn WHERE company_id = $1 AND status NOT IN (${TERMINAL_STATUSES})
           AND id <> ALL ($5::uuid[]) ORDER BY member_id OFFSET $4) AS company`,
      [tx.companyId, memberId, limits.member - 1, limits.company - 1, others],
    );
    if (!full) throw new Error('A SELECT without FROM gave no row.');
    return full;
  }

  /** A RUNNING turn is leased to this process. `idle_seconds` corrects its clock by the database's. */
  async create(
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
