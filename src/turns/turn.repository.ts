import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors/domain-error.js';
import { Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import { isAddedTo } from './log/writing/added-turns.js';
import type { TurnAddress } from './claims/turn-address.js';
import type { FinishReason, TerminalStatus, TurnError, Unanswered, Usage } from './turn-event.js';
import { terminalStatuses } from './turn-event.js';
import { Turn } from './turn.entity.js';

/** The statuses of turns that have ended, as a list in SQL. */
export const TERMINAL = terminalStatuses.map((status) => `'${status}'`).join(', ');

/** Whether a conversation is busy with the turn: not with one that has ended, nor with one in the background. */
const isBusyWith = (turn: string): string =>
  `${turn}.status NOT IN (${TERMINAL}) AND ${turn}.background_at IS NULL`;

/** Whether nobody attends to a `turn`: it waits and is the first of its conversation, or its lease is over. */
const isUnattended = `(lease_until IS NULL OR lease_until <= now()) AND status NOT IN (${TERMINAL})
  AND (status IN ('RUNNING', 'IN_BACKGROUND') OR status = 'QUEUED' AND NOT EXISTS (
    SELECT FROM turn earlier
    WHERE earlier.company_id = turn.company_id AND earlier.conversation_id = turn.conversation_id
      AND earlier.id < turn.id AND ${isBusyWith('earlier')}))`;

/** What the owner of a turn shows with every write. Once another attempt has begun, its writes are refused. */
export interface Claim {
  companyId: string;
  turnId: string;
  attempt: number;
}

/** For whom whoever takes turns has room. */
export interface Room {
  /** For those that nobody waits for. */
  background: boolean;
}

export interface TurnEnd {
  status: TerminalStatus;
  finishReason: FinishReason;
  usage: Usage;
  error: TurnError | null;
  finishedAt: Date;
}

@Injectable()
export class TurnRepository {
  constructor(private readonly config: Config) {}

  /** Stores a new turn. One that is RUNNING is leased to this process, as if it had been claimed. */
  async insert(tx: Transaction, turn: Turn): Promise<void> {
    await tx.query(
      `INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status,
         idempotency_key, payload_hash, attempt, last_sequence, created_at, started_at, document_ids, lease_until,
         seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
         now() + make_interval(secs => $16), CASE $8 WHEN 'RUNNING' THEN now() END)`,
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
      ],
    );
  }

  /** Null: it is gone. */
  find(tx: Transaction, id: string): Promise<Turn | null> {
    return tx.selectOne(Turn, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  async get(tx: Transaction, id: string): Promise<Turn> {
    const turn = await this.find(tx, id);
    if (!turn) throw notFound('turn');
    return turn;
  }

  /** The turn, held until the transaction ends, so that nobody claims or ends it meanwhile. */
  async lock(tx: Transaction, id: string): Promise<Turn | null> {
    const [turn] = await tx.select(Turn, 'company_id = $1 AND id = $2 FOR UPDATE', [tx.companyId, id]);
    return turn ?? null;
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Turn[]> {
    return tx.select(Turn, 'company_id = $1 AND member_id = $2 AND id = ANY ($3)', [
      tx.companyId,
      memberId,
      ids,
    ]);
  }

  findByIdempotencyKey(tx: Transaction, memberId: string, key: string): Promise<Turn | null> {
    return tx.selectOne(Turn, 'company_id = $1 AND member_id = $2 AND idempotency_key = $3', [
      tx.companyId,
      memberId,
      key,
    ]);
  }

  /** The turns under way or waiting in these conversations, in the order of their questions. */
  listUnfinished(tx: Transaction, conversationIds: readonly string[]): Promise<Turn[]> {
    return tx.select(
      Turn,
      `company_id = $1 AND conversation_id = ANY ($2) AND status NOT IN (${TERMINAL}) ORDER BY id`,
      [tx.companyId, conversationIds],
    );
  }

  /** Of these turns, those that have ended or are in the background, and have no answer. */
  listUnanswered(tx: Transaction, ids: readonly string[]): Promise<{ id: string; why: Unanswered }[]> {
    return tx.query(
      `SELECT id, CASE WHEN status NOT IN (${TERMINAL}) THEN 'IN_BACKGROUND'
         WHEN status = 'CANCELLED' THEN finish_reason ELSE 'FAILED' END AS why
       FROM turn WHERE company_id = $1 AND id = ANY ($2)
         AND (background_at IS NOT NULL OR status IN (${TERMINAL}))
         AND NOT EXISTS (
           SELECT FROM message WHERE company_id = $1 AND id = turn.answer_id AND text ~ '\\S')`,
      [tx.companyId, ids],
    );
  }

  /** The first of those that a conversation is busy with, in the order in which they are answered. */
  async listBusyIds(tx: Transaction, conversationId: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM turn WHERE company_id = $1 AND conversation_id = $2 AND ${isBusyWith('turn')}
       ORDER BY id LIMIT $3`,
      [tx.companyId, conversationId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * The greatest id that was given out in the conversation: that of its last turn's answer, which may not be there yet,
   * or, where it has no turns, of the last message that was imported.
   */
  async lastId(tx: Transaction, conversationId: string): Promise<string | null> {
    const [last] = await tx.query<{ id: string | null }>(
      `SELECT COALESCE(
         (SELECT answer_id FROM turn WHERE company_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 1),
         (SELECT id FROM message WHERE company_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 1)) AS id`,
      [tx.companyId, conversationId],
    );
    return last?.id ?? null;
  }

  /**
   * Of all companies, the turns that nobody attends to: that wait and are the first of their conversation, or whose
   * lease is over. Those in the background only where there is room for them. Companies take turns: whoever has the
   * fewest under way comes first; of one company's, and of equals, what has waited longest.
   */
  async listUnattended(tx: Transaction, limit: number, { background }: Room): Promise<TurnAddress[]> {
    return tx.query<TurnAddress>(
      `WITH running AS (
         SELECT company_id, count(*) AS count FROM turn WHERE lease_until > now() AND status = 'RUNNING'
         GROUP BY company_id),
       unattended AS (
         SELECT company_id, id, background_at IS NOT NULL AS is_background, lease_until FROM turn
         WHERE ${isUnattended} AND (status <> 'IN_BACKGROUND' OR $2))
       SELECT company_id AS "companyId", id AS "turnId" FROM unattended LEFT JOIN running USING (company_id)
       -- First those that somebody waits for.
       ORDER BY is_background, coalesce(running.count, 0) + row_number() OVER (
           PARTITION BY company_id, is_background ORDER BY lease_until NULLS FIRST),
         lease_until NULLS FIRST LIMIT $1`,
      [limit, background],
    );
  }

  /** How many turns of all companies nobody attends to. */
  async countUnattended(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM turn WHERE ${isUnattended}`,
    );
    return row?.count ?? 0;
  }

  /**
   * Takes the turn for a new attempt: when it waits and nothing before it in its conversation does, or when its
   * owner has given no sign of life for the length of a lease; one without a lease was handed over. The time since
   * anybody last ran it is no time of the turn's. Null: not now.
   */
  async claim(tx: Transaction, id: string, { background }: Room): Promise<Turn | null> {
    const claimed = await tx.query(
      `UPDATE turn SET status = CASE status WHEN 'IN_BACKGROUND' THEN status ELSE 'RUNNING' END,
         attempt = attempt + 1, started_at = coalesce(started_at, now()), seen_at = now(),
         idle_seconds = CASE WHEN started_at IS NULL THEN 0 ELSE
           idle_seconds + greatest(0, extract(epoch FROM now() - greatest(seen_at, background_at, started_at))) END,
         lost_leases = lost_leases + CASE WHEN status = 'QUEUED' OR lease_until IS NULL THEN 0 ELSE 1 END,
         lease_until = now() + make_interval(secs => $3)
       WHERE company_id = $1 AND id = $2
         AND (status = 'QUEUED' AND NOT EXISTS (
                SELECT FROM turn earlier
                WHERE earlier.company_id = $1 AND earlier.conversation_id = turn.conversation_id
                  AND earlier.id < turn.id AND ${isBusyWith('earlier')})
              OR (status = 'RUNNING' OR status = 'IN_BACKGROUND' AND $4)
                AND (lease_until IS NULL OR lease_until <= now()))
       RETURNING id`,
      [tx.companyId, id, this.config.turns.leaseSeconds, background],
    );
    return claimed.length === 0 ? null : this.get(tx, id);
  }

  /** Puts the turn back in line, for anybody to claim. What its owner still writes is refused. */
  async putBack(tx: Transaction, claim: Claim): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = CASE status WHEN 'IN_BACKGROUND' THEN status ELSE 'QUEUED' END,
         attempt = attempt + 1, seen_at = now(), lease_until = CASE status WHEN 'IN_BACKGROUND' THEN NULL ELSE now() END
       WHERE company_id = $1 AND id = $2 AND attempt = $3`,
      [tx.companyId, claim.turnId, claim.attempt],
    );
  }

  /** Has the turn wait for people, without an owner. What its owner still writes is refused. */
  async park(tx: Transaction, claim: Claim): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = 'WAITING_FOR_APPROVAL', attempt = attempt + 1, seen_at = now(), lease_until = NULL
       WHERE company_id = $1 AND id = $2 AND attempt = $3`,
      [tx.companyId, claim.turnId, claim.attempt],
    );
  }

  /** What the turn has used up so far: its next owner counts on from there. */
  async keepUsage(tx: Transaction, claim: Claim, usage: Usage): Promise<void> {
    await tx.query(
      `UPDATE turn SET input_tokens = $4, output_tokens = $5, cached_input_tokens = $6, model_calls = $7,
         skill_calls = $8, cost_usd = $9
       WHERE company_id = $1 AND id = $2 AND attempt = $3`,
      [
        tx.companyId,
        claim.turnId,
        claim.attempt,
        usage.inputTokens,
        usage.outputTokens,
        usage.cachedInputTokens,
        usage.modelCalls,
        usage.skillCalls,
        usage.costUsd,
      ],
    );
  }

  /** Has a turn that waited for people be run again: where it was, in the background or in the foreground. */
  async unpark(tx: Transaction, id: string): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = CASE WHEN background_at IS NULL THEN 'QUEUED' ELSE 'IN_BACKGROUND' END,
         lease_until = CASE WHEN background_at IS NULL THEN now() END
       WHERE company_id = $1 AND id = $2 AND status = 'WAITING_FOR_APPROVAL'`,
      [tx.companyId, id],
    );
  }

  /** Of any companies: from now on nobody has to wait for these turns. The caller holds their rows. */
  async moveToBackground(tx: Transaction, claims: readonly Claim[], at: Date): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = 'IN_BACKGROUND', background_at = coalesce(background_at, $1),
         idle_seconds = CASE WHEN background_at IS NULL THEN 0 ELSE idle_seconds END
       FROM unnest($2::uuid[], $3::uuid[]) AS moved (company_id, turn_id)
       WHERE turn.company_id = moved.company_id AND turn.id = moved.turn_id AND ${isAddedTo('moved.turn_id')}`,
      [at, claims.map(({ companyId }) => companyId), claims.map(({ turnId }) => turnId)],
    );
  }

  /** Ends the leases of all turns of all companies. */
  async endLeases(tx: Transaction): Promise<void> {
    await tx.query(
      `UPDATE turn SET lease_until = now() WHERE lease_until > now() AND status NOT IN (${TERMINAL})`,
    );
  }

  /** Keeps the turns for another lease, and gives those that are still the attempts' of `claims`, by id. */
  async renew(
    tx: Transaction,
    claims: readonly Claim[],
  ): Promise<Map<string, { stopReason: FinishReason | null }>> {
    const rows = await tx.query<{ id: string; stopReason: FinishReason | null }>(
      `UPDATE turn SET lease_until = now() + make_interval(secs => $4), seen_at = now()
       FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS held (company_id, turn_id, attempt)
       WHERE turn.company_id = held.company_id AND turn.id = held.turn_id AND turn.attempt = held.attempt
         AND turn.status NOT IN (${TERMINAL})
       RETURNING turn.id, turn.stop_reason AS "stopReason"`,
      [
        claims.map(({ companyId }) => companyId),
        claims.map(({ turnId }) => turnId),
        claims.map(({ attempt }) => attempt),
        this.config.turns.leaseSeconds,
      ],
    );
    return new Map(rows.map(({ id, stopReason }) => [id, { stopReason }]));
  }

  /** Notes that the turn is to end early; the first reason stays. */
  async requestStop(tx: Transaction, id: string, reason: FinishReason): Promise<void> {
    await tx.query(
      `UPDATE turn SET stop_reason = coalesce(stop_reason, $3)
       WHERE company_id = $1 AND id = $2 AND status NOT IN (${TERMINAL})`,
      [tx.companyId, id, reason],
    );
  }

  /** Ends the turn. The caller has written its last events under the same claim and in the same transaction. */
  async finish(tx: Transaction, claim: Claim, end: TurnEnd): Promise<void> {
    const { usage } = end;
    await tx.query(
      `UPDATE turn SET status = $4, finish_reason = $5, error = $6, finished_at = $7, lease_until = NULL,
         input_tokens = $8, output_tokens = $9, cached_input_tokens = $10, model_calls = $11, skill_calls = $12,
         cost_usd = $13
       WHERE company_id = $1 AND id = $2 AND attempt = $3`,
      [
        tx.companyId,
        claim.turnId,
        claim.attempt,
        end.status,
        end.finishReason,
        end.error && JSON.stringify(end.error),
        end.finishedAt,
        usage.inputTokens,
        usage.outputTokens,
        usage.cachedInputTokens,
        usage.modelCalls,
        usage.skillCalls,
        usage.costUsd,
      ],
    );
  }
}
