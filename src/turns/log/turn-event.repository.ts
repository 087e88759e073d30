import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import {
  eventOf,
  isTerminal,
  type PlanDecision,
  type TurnEntry,
  type TurnEvent,
  type TurnEventType,
  type TurnStatus,
} from '../turn-event.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import { type Claim, TERMINAL } from '../turn.repository.js';
import { rememberAddedTo } from './writing/added-turns.js';

/** A part of a turn's log. Gone: the turn was removed, with its log. */
export interface LogPage {
  events: TurnEvent[];
  state: 'open' | 'ended' | 'gone';
  /** The number of the turn's last event; 0 when it is gone. */
  lastSequence: number;
}

/** What one turn has to add to its log: `entries` get the numbers that follow `before`. */
export interface Append {
  claim: Claim;
  before: number;
  entries: readonly TurnEntry[];
  /** Model calls that were made meanwhile: no events tell of them. */
  calls: readonly StoredModelCall[];
}

/** Where somebody stands in a turn's log: `after` is the number of the last event seen. */
export interface Position {
  companyId: string;
  turnId: string;
  after: number;
}

/** What to read of a turn's log. For a member, a turn that is not theirs is not there. */
export interface LogRequest extends Position {
  memberId?: string;
}

/** How a turn's log stands for the owner of one of its attempts. */
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
  /**
   * Adds to the logs of several turns, in one statement, and gives the ids of those that it was added to. The others
   * have ended, are another attempt's, or are not at `before`: what was stored once is not stored again.
   */
  async append(tx: Transaction, appends: readonly Append[], at: Date): Promise<Set<string>> {
    const rows = appends.flatMap(({ claim: { turnId }, before, entries }) =>
      entries.map((entry, index) => ({ turnId, sequence: before + index + 1, entry })),
    );
    const [stored] = await tx.query<{ ids: string | null }>(
      `WITH part AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[])
           AS part (company_id, turn_id, attempt, before, count)),
       owner AS (
         UPDATE turn SET last_sequence = part.before + part.count FROM part
         WHERE turn.company_id = part.company_id AND turn.id = part.turn_id AND turn.attempt = part.attempt
           AND turn.last_sequence = part.before AND turn.status NOT IN (${TERMINAL})
         RETURNING turn.company_id, turn.id),
       added AS (
         INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
         SELECT owner.company_id, owner.id, event.sequence, $6, event.type, event.data
         FROM owner JOIN unnest($7::uuid[], $8::int[], $9::text[], $10::jsonb[])
           AS event (turn_id, sequence, type, data) ON event.turn_id = owner.id)
       SELECT string_agg(owner.id::text, ' ') AS ids, ${rememberAddedTo('owner.id')} FROM owner`,
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
      ],
    );
    return new Set(stored?.ids?.split(' '));
  }

  /** The first events of a turn that is being created, whose row counts them already. */
  async begin(tx: Transaction, turnId: string, entries: readonly TurnEntry[], at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
       SELECT $1, $2, event.position, $3, event.type, event.data
       FROM unnest($4::text[], $5::jsonb[]) WITH ORDINALITY AS event (type, data, position)`,
      [tx.companyId, turnId, at, entries.map(({ type }) => type), entries.map(dataOf)],
    );
  }

  /** Removes the logs of a conversation's turns, before the turns themselves are. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await tx.query(
      `DELETE FROM turn_event USING turn
       WHERE turn.company_id = $1 AND turn.conversation_id = $2
         AND turn_event.company_id = turn.company_id AND turn_event.turn_id = turn.id`,
      [tx.companyId, conversationId],
    );
  }

  /** How the turn’s log stands for the owner of `claim`; lost: it has ended, is gone, or is another attempt's. */
  async standing(tx: Transaction, claim: Claim): Promise<Standing> {
    const [turn] = await tx.query<{ last_sequence: number; attempt: number; status: TurnStatus }>(
      'SELECT last_sequence, attempt, status FROM turn WHERE company_id = $1 AND id = $2',
      [claim.companyId, claim.turnId],
    );
    if (!turn || turn.attempt !== claim.attempt || isTerminal(turn.status)) return 'lost';
    return { lastSequence: turn.last_sequence };
  }

  /** Whether the turn's log shows text that nothing in it has withdrawn. */
  async showsText(tx: Transaction, turnId: string): Promise<boolean> {
    const [last] = await tx.query<{ type: TurnEventType }>(
      `SELECT type FROM turn_event
       WHERE company_id = $1 AND turn_id = $2 AND type IN ('text-delta', 'text-reset')
       ORDER BY sequence DESC LIMIT 1`,
      [tx.companyId, turnId],
    );
    return last?.type === 'text-delta';
  }

  /** The events later than `after`, at most `limit`, and how the turn stood when they were read. */
  async read(tx: Transaction, { turnId, after, memberId }: LogRequest, limit: number): Promise<LogPage> {
    // One statement, one snapshot: a turn seen as ended has its end among the events, and one that is being removed
    // is there with all of them or not at all.
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

  /** What was decided in a turn, in order. */
  listDecisions(tx: Transaction, turnId: string): Promise<PlanDecision[]> {
    return tx.query(
      `SELECT data->>'action' AS action, data->>'reason' AS reason FROM turn_event
       WHERE company_id = $1 AND turn_id = $2 AND type = 'plan-decided' ORDER BY sequence`,
      [tx.companyId, turnId],
    );
  }

  /** What several turns' logs hold later than a position in each, in order, at most `limit` of each. */
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
}

const dataOf = (entry: TurnEntry): string => {
  const { type: _type, ...data } = eventOf(entry);
  return JSON.stringify(data);
};

const toEvent = ({ turnId, sequence, at, type, data }: EventRow): TurnEvent =>
  ({ turnId, sequence, at, type, ...data }) as TurnEvent;
