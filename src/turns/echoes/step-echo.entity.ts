import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Turn } from '../turn.entity.js';

/** What a model wants back with a step of a turn that has not ended: whoever goes on with it needs it. */
@Entity()
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], {
  name: 'step_echo_turn_fkey',
  onDelete: 'CASCADE',
})
export class StepEcho {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_echo_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'step_echo_pkey' })
  turnId!: string;

  /** As skill calls name it. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'step_echo_pkey' })
  step!: number;

  /** The one that took the step. */
  @Column('text')
  model!: string;

  @Column('text')
  data!: string;
}
