import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { TurnEventType } from '../turn-event.js';

/**
 * One event of a turn's log. Rows are only ever added, by the owner of the turn's current attempt, and go with their
 * partition when they are older than the retention, or with their turn. (Partitioned by `turn_id`, which begins with
 * the time; see the migration. TypeORM takes it for a table like any other.)
 */
@Entity('turn_event')
export class TurnEventRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'turn_event_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'turn_event_pkey' })
  turnId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'turn_event_pkey' })
  sequence!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column('text')
  type!: TurnEventType;

  /** The event's own fields. */
  @Column('jsonb')
  data!: object;
}
