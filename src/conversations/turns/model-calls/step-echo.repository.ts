import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';
import type { Echo } from '@palabre/llm-client';

import { Turn } from '../turn.entity.js';
import { CompanyRow } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { isAddedTurn } from '../log/added-turns.js';
import type { Append } from '../log/turn-event.repository.js';
import { wellFormed } from '../../../common/well-formed.js';
import type { InputAsked, AskedFor } from '../turn-event.js';

/** Provider data that the model needs back with a step. Kept while the turn runs, for its next owner. */
@Entity()
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class StepEcho extends CompanyRow {
  @PrimaryColumn('uuid')
  turnId!: string;

  /** See SkillCall.step. */
  @PrimaryColumn('integer')
  step!: number;

  /** The model that took the step. */
  @Column('text')
  model!: string;

  @Column('text')
  data!: string;
}

@Injectable()
export class StepEchoRepository {
  /** Stores the echoes of steps whose skill calls start, after the statement that appends their events. */
  async apply(tx: Transaction, appends: readonly Append[]): Promise<void> {
    const rows = appends.flatMap(({ claim: { companyId, turnId }, entries }) =>
      rowsOf(
        companyId,
        turnId,
        entries.filter((entry) => entry.type === 'skill-started'),
      ),
    );
    if (rows.length > 0) await this.insert(tx, rows, isAddedTurn('echo.turn_id'));
  }

  /** Stores the echoes of steps that wait for people. */
  async keep(tx: Transaction, turnId: string, calls: readonly InputAsked[]): Promise<void> {
    const rows = rowsOf(tx.companyId, turnId, calls);
    if (rows.length > 0) await this.insert(tx, rows, 'true');
  }

  async list(tx: Transaction, turnId: string): Promise<Map<number, Echo>> {
    const rows = await tx.list(StepEcho, { turnId });
    return new Map(rows.map(({ step, model, data }) => [step, { model, data }]));
  }

  /** Deletes the echoes of these turns that contain one of the needles; without needles, all. */
  async delete(
    tx: Transaction,
    turnIds: readonly string[],
    needles: readonly string[] | null,
  ): Promise<void> {
    await tx.query(
      `DELETE FROM step_echo WHERE company_id = $1 AND turn_id = ANY ($2) AND ($3::text[] IS NULL
         OR EXISTS (SELECT FROM unnest($3::text[]) AS needle WHERE position(needle IN data) > 0))`,
      [tx.companyId, turnIds, needles],
    );
  }

  /** Ignores echoes that are stored already: every call of a step brings the same one. */
  private async insert(tx: Transaction, rows: readonly StepEcho[], condition: string): Promise<void> {
    await tx.query(
      `INSERT INTO step_echo (company_id, turn_id, step, model, data)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[])
         AS echo (company_id, turn_id, step, model, data)
       WHERE ${condition} ON CONFLICT DO NOTHING`,
      [
        rows.map(({ companyId }) => companyId),
        rows.map(({ turnId }) => turnId),
        rows.map(({ step }) => step),
        rows.map(({ model }) => model),
        rows.map(({ data }) => data),
      ],
    );
  }
}

function rowsOf(companyId: string, turnId: string, calls: readonly { asked: AskedFor }[]): StepEcho[] {
  const byStep = new Map(calls.map(({ asked: { step, echo } }) => [step, echo]));
  return [...byStep].flatMap(([step, echo]) =>
    echo ? [{ companyId, turnId, step, model: echo.model, data: wellFormed(echo.data) }] : [],
  );
}
