import { Injectable } from '@nestjs/common';

import { Config } from '../../../common/config/config.js';
import { KEEPS_ACCESS } from '../../../companies/members/member.repository.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { currentTraceparent } from '../../../platform/tracing/span.js';
import { isAddedTurn } from '../log/added-turns.js';
import type { AnswerPieces } from '../log/ended-replay.js';
import type { FinishReason, TerminalStatus, TurnError, Usage, WaitingStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { isBusy, TERMINAL_STATUSES } from '../turn.repository.js';
import type { Claim, Places, Room, UnattendedTurn } from './turn-claim.js';

/** SQL condition: the `turn` is first in its conversation's queue. */
const isNextInLine = `status = 'QUEUED' AND NOT EXISTS (
  SELECT FROM turn earlier
  WHERE earlier.company_id = turn.company_id AND earlier.conversation_id = turn.conversation_id
    AND earlier.id < turn.id AND ${isBusy('earlier')})`;

/** SQL condition: nobody has leased the turn. */
const isFree = '(lease_until IS NULL OR lease_until <= now())';

/** SQL condition: no process runs the `turn`. */
const isUnattended = `${isFree} AND status NOT IN (${TERMINAL_STATUSES})
  AND (status IN ('RUNNING', 'IN_BACKGROUND') OR ${isNextInLine})`;

export interface Claimed {
  /** The phase's duration so far, by the database's clock. */
  phaseSeconds: number;
  /** Whether the asking member still has access. Otherwise the turn must not run. */
  isWanted: boolean;
}

export interface TurnEnd {
  status: TerminalStatus;
  finishReason: FinishReason;
  usage: Usage;
  error: TurnError | null;
  finishedAt: Date;
  answerPieces: AnswerPieces;
}

/** Stores who runs a turn, until when, and its end. */
@Injectable()
export class TurnClaimRepository {
  constructor(private readonly config: Config) {}

  /** Turns of all companies. The company with the fewest running turns comes first, then the longest waiting turn. */
  async listUnattended(tx: Transaction, { foreground, background }: Places): Promise<UnattendedTurn[]> {
    return tx.query<UnattendedTurn>(
      `WITH running AS (
         SELECT company_id, count(*) AS count FROM turn WHERE lease_until > now() AND status = 'RUNNING'
         GROUP BY company_id),
       unattended AS (
         SELECT company_id, id, status = 'IN_BACKGROUND' AS in_background, lease_until, row_number() OVER line AS nth,
           lead(id) OVER line IS NOT NULL AS is_followed
         FROM turn WHERE ${isUnattended}
         WINDOW line AS (PARTITION BY company_id, status = 'IN_BACKGROUND' ORDER BY lease_until NULLS FIRST)),
       in_line AS (
         SELECT company_id, id, in_background, is_followed, row_number() OVER (
             PARTITION BY in_background ORDER BY coalesce(running.count, 0) + nth, lease_until NULLS FIRST) AS place
         FROM unattended LEFT JOIN running USING (company_id))
       SELECT company_id AS "companyId", id AS "turnId", in_background AS "inBackground", is_followed AS "isFollowed"
       FROM in_line
       WHERE place <= CASE WHEN in_background THEN $2::int ELSE $1::int END
       -- Foreground turns first: somebody waits for them.
       ORDER BY in_background, place`,
      [foreground, background],
    );
  }

  /** How many turns of all companies no process runs. */
  async countUnattended(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM turn WHERE ${isUnattended}`,
    );
    return row?.count ?? 0;
  }

  /** One first in its queue, handed over, or with an expired lease; else null. */
  async claim(tx: Transaction, id: string, { background }: Room): Promise<Claimed | null> {
    const [claimed] = await tx.query<Claimed>(
      `UPDATE turn SET status = CASE status WHEN 'IN_BACKGROUND' THEN status ELSE 'RUNNING' END,
         attempt = attempt + 1, started_at = coalesce(started_at, now()), seen_at = now(),
         idle_seconds = CASE WHEN started_at IS NULL THEN 0 ELSE
           idle_seconds + greatest(0, extract(epoch FROM now() - coalesce(seen_at, background_at, started_at))) END,
         lost_leases = lost_leases + CASE WHEN status = 'QUEUED' OR lease_until IS NULL THEN 0 ELSE 1 END,
         lease_until = now() + make_interval(secs => $3)
       WHERE company_id = $1 AND id = $2
         AND (${isNextInLine} OR (status = 'RUNNING' OR status = 'IN_BACKGROUND' AND $4) AND ${isFree})
       RETURNING extract(epoch FROM now() - coalesce(background_at, started_at))::float8 - idle_seconds
         AS "phaseSeconds",
         EXISTS (SELECT FROM member WHERE member.company_id = turn.company_id AND member.id = turn.member_id
           AND ${KEEPS_ACCESS}) AS "isWanted"`,
      [tx.companyId, id, this.config.turns.leaseSeconds, background],
    );
    return claimed ?? null;
  }

  /** Releases the turn to its queue or to people. Further writes of its owner are refused. */
  async release(
    tx: Transaction,
    claim: Claim,
    status: WaitingStatus | 'QUEUED' | 'IN_BACKGROUND',
  ): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = $4, attempt = attempt + 1, seen_at = now(),
         lease_until = CASE $4 WHEN 'QUEUED' THEN now() END, trace_run = $5
       WHERE company_id = $1 AND id = $2 AND attempt = $3`,
      [tx.companyId, claim.turnId, claim.attempt, status, currentTraceparent()],
    );
  }

  /** Changes what a turn without an owner waits for. */
  async keepWaiting(tx: Transaction, id: string, status: WaitingStatus): Promise<void> {
    await tx.update(Turn, { id }, { status });
  }

  /** Stores the turn's usage so far, which its next owner continues. */
  async keepUsage(tx: Transaction, claim: Claim, usage: Usage): Promise<void> {
    await tx.update(Turn, { id: claim.turnId, attempt: claim.attempt }, usage);
  }

  /** For `headStartSeconds` the turn is invisible to searches for unattended turns. */
  async unpark(tx: Transaction, id: string, headStartSeconds: number): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = CASE WHEN background_at IS NULL THEN 'QUEUED' ELSE 'IN_BACKGROUND' END,
         lease_until = CASE WHEN background_at IS NULL THEN now() + make_interval(secs => $3) END
       WHERE company_id = $1 AND id = $2 AND status IN ('WAITING_FOR_APPROVAL', 'WAITING_FOR_INPUT')`,
      [tx.companyId, id, headStartSeconds],
    );
  }

  /** Turns of any companies, whose rows the caller holds. `idle_seconds` corrects for the clock of `at`. */
  async moveToBackground(tx: Transaction, claims: readonly Claim[], at: Date): Promise<void> {
    await tx.query(
      `UPDATE turn SET status = 'IN_BACKGROUND', background_at = coalesce(background_at, $1), seen_at = now(),
         idle_seconds = CASE WHEN background_at IS NULL THEN extract(epoch FROM now() - $1::timestamptz)
           ELSE idle_seconds END
       FROM unnest($2::uuid[], $3::uuid[]) AS moved (company_id, turn_id)
       WHERE turn.company_id = moved.company_id AND turn.id = moved.turn_id AND ${isAddedTurn('moved.turn_id')}`,
      [at, claims.map(({ companyId }) => companyId), claims.map(({ turnId }) => turnId)],
    );
  }

  async endLeases(tx: Transaction): Promise<void> {
    await tx.query(
      `UPDATE turn SET lease_until = now() WHERE lease_until > now() AND status NOT IN (${TERMINAL_STATUSES})`,
    );
  }

  /** Skips locked rows: appending renews a lease anyway, and waiting while holding others would deadlock. */
  async renew(
    tx: Transaction,
    claims: readonly Claim[],
  ): Promise<Map<string, { stopReason: FinishReason | null }>> {
    const rows = await tx.query<{ id: string; stopReason: FinishReason | null }>(
      `WITH ours AS (
         SELECT turn.company_id, turn.id, turn.stop_reason
         FROM turn JOIN unnest($1::uuid[], $2::uuid[], $3::int[]) AS held (company_id, turn_id, attempt)
           ON turn.company_id = held.company_id AND turn.id = held.turn_id AND turn.attempt = held.attempt
         WHERE turn.status NOT IN (${TERMINAL_STATUSES})),
       free AS (
         SELECT company_id, id FROM turn WHERE (company_id, id, attempt) IN (
           SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[])) AND status NOT IN (${TERMINAL_STATUSES})
         FOR NO KEY UPDATE SKIP LOCKED),
       renewed AS (
         UPDATE turn SET lease_until = now() + make_interval(secs => $4), seen_at = now()
         FROM free WHERE turn.company_id = free.company_id AND turn.id = free.id)
       SELECT id, stop_reason AS "stopReason" FROM ours`,
      [
        claims.map(({ companyId }) => companyId),
        claims.map(({ turnId }) => turnId),
        claims.map(({ attempt }) => attempt),
        this.config.turns.leaseSeconds,
      ],
    );
    return new Map(rows.map(({ id, stopReason }) => [id, { stopReason }]));
  }

  async requestStop(tx: Transaction, id: string, reason: FinishReason): Promise<void> {
    await tx.query(
      `UPDATE turn SET stop_reason = coalesce(stop_reason, $3)
       WHERE company_id = $1 AND id = $2 AND status NOT IN (${TERMINAL_STATUSES})`,
      [tx.companyId, id, reason],
    );
  }

  /** Returns the id of the conversation's next turn. The last events are written in `tx`, under the same claim. */
  async finish(
    tx: Transaction,
    { claim, conversationId }: { claim: Claim; conversationId: string },
    end: TurnEnd,
  ): Promise<string | null> {
    const { usage } = end;
    const [next] = await tx.query<{ id: string }>(
      `WITH ended AS (
       UPDATE turn SET status = $4, finish_reason = $5, error = $6, finished_at = $7,
         seconds = greatest(0, extract(epoch FROM $7::timestamptz - created_at)), lease_until = NULL,
         input_tokens = $8, output_tokens = $9, cached_input_tokens = $10, model_calls = $11, skill_calls = $12,
         cost_usd = $13, answer_pieces = $14
       WHERE company_id = $1 AND id = $2 AND attempt = $3)
       SELECT id FROM turn
       WHERE company_id = $1 AND conversation_id = $15 AND id <> $2 AND ${isBusy('turn')} ORDER BY id LIMIT 1`,
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
        end.answerPieces,
        conversationId,
      ],
    );
    return next?.id ?? null;
  }
}
