import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@palabre/json';

import { firstIdAt } from '../../common/ids.js';
import { awaitAll, asColumns, type Transaction } from '../../platform/database/transaction.js';
import type { Claim } from './claims/turn-claim.js';
import { isAddedTurn } from './log/added-turns.js';
import type { Append } from './log/turn-event.repository.js';
import { SkillCall } from './skill-call.entity.js';
import type { TurnEntry } from './turn-event.js';

export interface SkillUse {
  calls: number;
  failures: number;
}

type Told<Type extends TurnEntry['type']> = { claim: Claim; entry: Extract<TurnEntry, { type: Type }> };

@Injectable()
export class SkillCallRepository {
  /** Stores skill calls as started and finished, after the statement that appends their events. */
  async apply(tx: Transaction, appends: readonly Append[], at: Date): Promise<void> {
    const started = told(appends, 'skill-started');
    const finished = told(appends, 'skill-finished');
    await awaitAll([
      started.length > 0 ? this.insert(tx, started, at) : null,
      finished.length > 0 ? this.finish(tx, finished, at) : null,
    ]);
  }

  /** Calls that never reported back belong to an attempt that broke off; their outcome is unknown. */
  async closeOpen(tx: Transaction, turnId: string, at: Date): Promise<void> {
    await tx.update(SkillCall, { turnId, status: 'RUNNING' }, { status: 'UNKNOWN', finishedAt: at });
  }

  /** In the order in which the model asked for them, without `details`, which may be large. */
  list(tx: Transaction, turnIds: readonly string[]): Promise<SkillCall[]> {
    return tx.list(SkillCall, { turnId: turnIds }, 'ORDER BY step, id');
  }

  /** The skills with results in these turns, each once per turn. */
  listAnswered(tx: Transaction, turnIds: readonly string[]): Promise<{ turnId: string; skill: string }[]> {
    return tx.query(
      `SELECT DISTINCT turn_id AS "turnId", skill FROM skill_call
       WHERE company_id = $1 AND turn_id = ANY ($2::uuid[]) AND result IS NOT NULL`,
      [tx.companyId, turnIds],
    );
  }

  listDetails(tx: Transaction, ids: readonly string[]): Promise<{ id: string; details: JsonValue }[]> {
    return tx.query(
      `SELECT id, details FROM skill_call
       WHERE company_id = $1 AND id = ANY($2::uuid[]) AND details IS NOT NULL`,
      [tx.companyId, ids],
    );
  }

  /** How often each skill was called since `from`, among the last `most` calls only, to keep this cheap. */
  countSince(tx: Transaction, from: Date, most: number): Promise<(SkillUse & { skill: string })[]> {
    return tx.query(
      `SELECT skill, count(*)::int AS calls, count(*) FILTER (WHERE status = 'FAILED')::int AS failures
       FROM (SELECT skill, status FROM skill_call WHERE company_id = $1 AND id >= $2
             ORDER BY id DESC LIMIT $3) AS latest
       GROUP BY skill`,
      [tx.companyId, firstIdAt(from), most],
    );
  }

  /** Also stores the turn's usage so far, from which a next owner counts on. */
  private async insert(tx: Transaction, started: readonly Told<'skill-started'>[], at: Date): Promise<void> {
    await tx.query(
      `WITH started AS (
         INSERT INTO skill_call (company_id, id, turn_id, skill, arguments, status, started_at, step, preamble,
           model_call_id, model_arguments)
         SELECT call.company_id, call.id, call.turn_id, call.skill, call.arguments, 'RUNNING', $1, call.step,
           call.preamble, call.model_call_id, call.model_arguments
         FROM jsonb_to_recordset($2::jsonb) AS call (company_id uuid, id uuid, turn_id uuid, skill text,
           arguments jsonb, step int, preamble text, model_call_id text, model_arguments text)
         WHERE ${isAddedTurn('call.turn_id')})
       UPDATE turn SET input_tokens = used.input_tokens, output_tokens = used.output_tokens,
         cached_input_tokens = used.cached_input_tokens, model_calls = used.model_calls, skill_calls = used.skill_calls,
         cost_usd = used.cost_usd
       FROM jsonb_to_recordset($3::jsonb) AS used (company_id uuid, turn_id uuid, input_tokens int, output_tokens int,
         cached_input_tokens int, model_calls int, skill_calls int, cost_usd double precision)
       WHERE turn.company_id = used.company_id AND turn.id = used.turn_id AND ${isAddedTurn('used.turn_id')}`,
      [at, JSON.stringify(started.map(callOf)), JSON.stringify(lastOfEachTurn(started).map(usageOf))],
    );
  }

  private async finish(
    tx: Transaction,
    finished: readonly Told<'skill-finished'>[],
    at: Date,
  ): Promise<void> {
    await tx.query(
      `UPDATE skill_call SET status = call.status, result_preview = call.preview, result = call.result,
         details = call.details::jsonb, finished_at = $1
       FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
         AS call (company_id, turn_id, id, status, preview, result, details)
       WHERE skill_call.company_id = call.company_id AND skill_call.id = call.id
         AND skill_call.turn_id = call.turn_id AND ${isAddedTurn('call.turn_id')}`,
      [
        at,
        finished.map(({ claim }) => claim.companyId),
        finished.map(({ claim }) => claim.turnId),
        finished.map(({ entry }) => entry.callId),
        finished.map(({ entry }) => entry.callStatus),
        finished.map(({ entry }) => entry.resultPreview),
        finished.map(({ entry }) => entry.result),
        finished.map(({ entry: { details } }) => (details === undefined ? null : JSON.stringify(details))),
      ],
    );
  }
}

function told<Type extends TurnEntry['type']>(appends: readonly Append[], type: Type): Told<Type>[] {
  return appends.flatMap(({ claim, entries }) =>
    entries.flatMap((entry) => (entry.type === type ? [{ claim, entry } as Told<Type>] : [])),
  );
}

function lastOfEachTurn(started: readonly Told<'skill-started'>[]): Told<'skill-started'>[] {
  return [...new Map(started.map((one) => [one.claim.turnId, one])).values()];
}

function callOf({ claim: { companyId, turnId }, entry }: Told<'skill-started'>): object {
  const { callId: id, skill, arguments: input, asked } = entry;
  const { echo: _echo, ...asWritten } = asked;
  return asColumns({ companyId, id, turnId, skill, arguments: input, ...asWritten });
}

function usageOf({ claim: { companyId, turnId }, entry: { usage } }: Told<'skill-started'>): object {
  return asColumns({ companyId, turnId, ...usage });
}
