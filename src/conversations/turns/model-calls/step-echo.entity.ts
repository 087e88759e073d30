import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Turn } from '../turn.entity.js';

/** Provider data that the model wants back with a step. Kept while the turn runs, for whoever continues it. */
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

  /** See SkillCall.step. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'step_echo_pkey' })
  step!: number;

  /** The model that took the step. */
  @Column('text')
  model!: string;

  @Column('text')
  data!: string;
}
