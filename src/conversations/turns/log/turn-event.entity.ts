import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { TurnEventType } from '../turn-event.js';
import { CompanyRow } from '../../../platform/database/rows.entity.js';

/**
 * One event of a turn's log. Rows are only ever added, by the owner of the turn's current attempt, and go with their
 * partition when they are older than the retention, or with their turn. (Partitioned by `turn_id`, which begins with
 * the time; see the migration. TypeORM takes it for a table like any other.)
 */
@Entity('turn_event')
export class TurnEventRow extends CompanyRow {
  @PrimaryColumn('uuid')
  turnId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column('text')
  type!: TurnEventType;

  /** The event's own fields. */
  @Column('jsonb')
  data!: object;
}
