import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import {
  isTerminal,
  terminalStatuses,
  type TurnEvent,
  type TurnEventBody,
  type TurnEventType,
  type TurnStatus,
} from './turn-event.js';
import type { Claim } from './turn.repository.js';

/** A part of a turn's log. Gone: the turn was removed, with its log. */
export interface LogPage {
  events: TurnEvent[];
  state: 'open' | 'ended' | 'gone';
}

interface EventRow {
  sequence: number;
  at: Date;
  type: TurnEventType;
  data: object;
}

@Injectable()
export class TurnEventRepository {
  /**
   * Adds `events` to the turn's log under the numbers that follow its last one. Null: nothing was added, for the
   * turn has ended or is another attempt's; one statement, so that this is decided and done in one.
   */
  async append(
    tx: Transaction,
    claim: Claim,
    events: TurnEventBody[],
    at: Date,
  ): Promise<TurnEvent[] | null> {
    const rows = await tx.query<{ sequence: number }>(
      `WITH owner AS (
         UPDATE turn SET last_sequence = last_sequence + $4
         WHERE company_id = $1 AND id = $2 AND attempt = $3 AND NOT status = ANY ($8)
         RETURNING last_sequence - $4 AS before)
       INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
       SELECT $1, $2, owner.before + event.position, $5, event.type, event.data
       FROM owner, unnest($6::text[], $7::jsonb[]) WITH ORDINALITY AS event (type, data, position)
       RETURNING sequence`,
      [
        tx.companyId,
        claim.turnId,
        claim.attempt,
        events.length,
        at,
        events.map(({ type }) => type),
        events.map(({ type: _type, ...data }) => JSON.stringify(data)),
        terminalStatuses,
      ],
    );
    const first = Math.min(...rows.map(({ sequence }) => sequence));
    if (rows.length === 0) return null;
    return events.map((event, index) => ({ turnId: claim.turnId, sequence: first + index, at, ...event }));
  }

  /** The events later than `after`, at most `limit`, and how the turn stood when they were read. */
  async read(tx: Transaction, turnId: string, after: number, limit: number): Promise<LogPage> {
    // One statement, one snapshot: a turn seen as ended has its end among the events, and one that is being removed
    // is there with all of them or not at all.
    const rows = await tx.query<{ status: TurnStatus } & (EventRow | { sequence: null })>(
      `SELECT turn.status, event.sequence, event.at, event.type, event.data
       FROM turn LEFT JOIN LATERAL (
         SELECT sequence, at, type, data FROM turn_event
         WHERE company_id = $1 AND turn_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4) event ON true
       WHERE turn.company_id = $1 AND turn.id = $2 ORDER BY event.sequence`,
      [tx.companyId, turnId, after, limit],
    );
    const [turn] = rows;
    const events = rows
      .filter((row) => row.sequence !== null)
      .map(({ sequence, at, type, data }) => ({ turnId, sequence, at, type, ...data }) as TurnEvent);
    if (!turn) return { events, state: 'gone' };
    return { events, state: isTerminal(turn.status) ? 'ended' : 'open' };
  }
}
