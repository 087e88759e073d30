import { Injectable } from '@nestjs/common';

import { Config } from '../../../common/config/config.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { Claim } from '../claims/turn-claim.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import {
  dataOf,
  isTerminal,
  type PlanDecision,
  type TurnEntry,
  type TurnEvent,
  type TurnEventType,
  type TurnStatus,
} from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';
import { rememberAddedTurns } from './added-turns.js';
import type { AnswerPieces } from './ended-replay.js';

/** A part of a turn's log. Gone: the turn was removed, with its log. */
export interface LogPage {
  events: TurnEvent[];
  state: 'open' | 'ended' | 'gone';
  /** The number of the turn's last event; 0 when it is gone. */
  lastSequence: number;
}

/** Entries to append to one turn's log. They get the sequence numbers after `before`. */
export interface Append {
  claim: Claim;
  before: number;
  entries: readonly TurnEntry[];
  /** Model calls made meanwhile, which have no events. */
  calls: readonly StoredModelCall[];
}

/** A position in a turn's log: `after` is the sequence of the last event seen. */
export interface Position {
  companyId: string;
  turnId: string;
  after: number;
}

/** What to read of a turn's log. With a `memberId`, other members' turns count as gone. */
export interface LogRequest extends Position {
  memberId?: string;
}

/** The length of a turn's log, or that the claim on the turn is lost. */
export type Standing = { lastSequence: number } | 'lost';

interface EventRow {
  turnId: string;
  sequence: number;
  at: Date;
  type: TurnEventType;
  data: object;
}

@Injectable()
export class TurnEventRepository {
  constructor(private readonly config: Config) {}

  /** Returns the turns appended to. Others have ended, have another attempt, or are not at `before`. Renews leases. */
  async append(tx: Transaction, appends: readonly Append[], at: Date): Promise<Set<string>> {
    const rows = appends.flatMap(({ claim: { turnId }, before, entries }) =>
      entries.map((entry, index) => ({ turnId, sequence: before + index + 1, entry })),
    );
    const [stored] = await tx.query<{ ids: string | null }>(
      `WITH part AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[])
           AS part (company_id, turn_id, attempt, before, count)),
       owner AS (
         UPDATE turn SET last_sequence = part.before + part.count, seen_at = now(),
           lease_until = CASE WHEN lease_until > now() THEN now() + make_interval(secs => $11) ELSE lease_until END
         FROM part
         WHERE turn.company_id = part.company_id AND turn.id = part.turn_id AND turn.attempt = part.attempt
           AND turn.last_sequence = part.before AND turn.status NOT IN (${TERMINAL_STATUSES})
         RETURNING turn.company_id, turn.id),
       added AS (
         INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
         SELECT owner.company_id, owner.id, event.sequence, $6, event.type, event.data
         FROM owner JOIN unnest($7::uuid[], $8::int[], $9::text[], $10::jsonb[])
           AS event (turn_id, sequence, type, data) ON event.turn_id = owner.id)
       SELECT string_agg(owner.id::text, ' ') AS ids, ${rememberAddedTurns('owner.id')} FROM owner`,
      [
        appends.map(({ claim }) => claim.companyId),
        appends.map(({ claim }) => claim.turnId),
        appends.map(({ claim }) => claim.attempt),
        appends.map(({ before }) => before),
        appends.map(({ entries }) => entries.length),
        at,
        rows.map(({ turnId }) => turnId),
        rows.map(({ sequence }) => sequence),
        rows.map(({ entry }) => entry.type),
        rows.map(({ entry }) => dataOf(entry)),
        this.config.turns.leaseSeconds,
      ],
    );
    return new Set(stored?.ids?.split(' '));
  }

  /** Removes events and model calls of a conversation's turns before the turns, because no foreign key does. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await awaitAll(
      ['turn_event', 'model_call'].map((table) =>
        tx.query(
          `DELETE FROM ${table} USING turn
           WHERE turn.company_id = $1 AND turn.conversation_id = $2
             AND ${table}.company_id = turn.company_id AND ${table}.turn_id = turn.id`,
          [tx.companyId, conversationId],
        ),
      ),
    );
  }

  /** The length of the log for the owner of `claim`. Lost: the turn has ended, is gone, or has another attempt. */
  async standing(tx: Transaction, claim: Claim): Promise<Standing> {
    const [turn] = await tx.query<{ last_sequence: number; attempt: number; status: TurnStatus }>(
      'SELECT last_sequence, attempt, status FROM turn WHERE company_id = $1 AND id = $2',
      [claim.companyId, claim.turnId],
    );
    if (!turn || turn.attempt !== claim.attempt || isTerminal(turn.status)) return 'lost';
    return { lastSequence: turn.last_sequence };
  }

  /** Whether the log holds text, or reasoning, that was not withdrawn. */
  async showsText(tx: Transaction, turnId: string): Promise<boolean> {
    const [last] = await tx.query<{ type: TurnEventType }>(
      `SELECT type FROM turn_event
       WHERE company_id = $1 AND turn_id = $2 AND type IN ('text-delta', 'reasoning-delta', 'text-reset')
       ORDER BY sequence DESC LIMIT 1`,
      [tx.companyId, turnId],
    );
    return last !== undefined && last.type !== 'text-reset';
  }

  /** The events later than `after`, at most `limit`, and how the turn stood when they were read. */
  async read(tx: Transaction, { turnId, after, memberId }: LogRequest, limit: number): Promise<LogPage> {
    // One statement is one snapshot: a turn seen as ended has its TurnDone among the events, and one that is being
    // removed is there with all of its events or not at all.
    const rows = await tx.query<
      { status: TurnStatus; last_sequence: number } & (Omit<EventRow, 'turnId'> | { sequence: null })
    >(
      `SELECT turn.status, turn.last_sequence, event.sequence, event.at, event.type, event.data
       FROM turn LEFT JOIN LATERAL (
         SELECT sequence, at, type, data FROM turn_event
         WHERE company_id = $1 AND turn_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4) event ON true
       WHERE turn.company_id = $1 AND turn.id = $2 AND ($5::uuid IS NULL OR turn.member_id = $5)
       ORDER BY event.sequence`,
      [tx.companyId, turnId, after, limit, memberId ?? null],
    );
    const [turn] = rows;
    const events = rows.flatMap((row) => (row.sequence === null ? [] : [toEvent({ turnId, ...row })]));
    if (!turn) return { events, state: 'gone', lastSequence: 0 };
    return { events, state: isTerminal(turn.status) ? 'ended' : 'open', lastSequence: turn.last_sequence };
  }

  listDecisions(tx: Transaction, turnId: string): Promise<PlanDecision[]> {
    return tx.query(
      `SELECT data->>'action' AS action, data->>'reason' AS reason FROM turn_event
       WHERE company_id = $1 AND turn_id = $2 AND type = 'plan-decided' ORDER BY sequence`,
      [tx.companyId, turnId],
    );
  }

  /** Events of several turns after a position in each, in order, at most `limit` of each. */
  async readMany(tx: Transaction, positions: readonly Position[], limit: number): Promise<TurnEvent[]> {
    const rows = await tx.query<EventRow>(
      `SELECT position.turn_id AS "turnId", event.sequence, event.at, event.type, event.data
       FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS position (company_id, turn_id, after)
       CROSS JOIN LATERAL (
         SELECT sequence, at, type, data FROM turn_event
         WHERE company_id = position.company_id AND turn_id = position.turn_id AND sequence > position.after
         ORDER BY sequence LIMIT $4) event
       ORDER BY position.turn_id, event.sequence`,
      [
        positions.map(({ companyId }) => companyId),
        positions.map(({ turnId }) => turnId),
        positions.map(({ after }) => after),
        limit,
      ],
    );
    return rows.map(toEvent);
  }

  /** Unfinished turns of all companies with ids less than `id`. */
  async listUnfinishedBefore(tx: Transaction, id: string): Promise<string[]> {
    return tx.ids(`SELECT id FROM turn WHERE id < $1 AND status NOT IN (${TERMINAL_STATUSES})`, [id]);
  }

  /** The turn with its answer pieces, which only a replay of removed events needs. Null: it is gone. */
  async findTurnWithPieces(
    tx: Transaction,
    id: string,
  ): Promise<(Turn & { answerPieces: AnswerPieces | null }) | null> {
    return tx
      .repository(Turn)
      .createQueryBuilder('turn')
      .addSelect('turn.answerPieces')
      .where({ companyId: tx.companyId, id })
      .getOne();
  }
}

function toEvent({ turnId, sequence, at, type, data }: EventRow): TurnEvent {
  return { turnId, sequence, at, type, ...data } as TurnEvent;
}
