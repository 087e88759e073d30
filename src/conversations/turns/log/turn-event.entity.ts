import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { TurnEventType } from '../turn-event.js';
import { CompanyRow } from '../../../platform/database/rows.js';

/** Rows are only ever added, and go with their partition (by `turn_id`, which begins with the time) or turn. */
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
