import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Turn } from './turn.entity.js';
import type { TurnEventType } from './turn-event.js';

/** One event of a turn's log. Rows are only ever added, by the owner of the turn's current attempt. */
@Entity('turn_event')
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], {
  name: 'turn_event_turn_fkey',
  onDelete: 'CASCADE',
})
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
