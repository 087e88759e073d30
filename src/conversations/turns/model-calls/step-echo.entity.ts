import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Turn } from '../turn.entity.js';
import { CompanyRow } from '../../../platform/database/rows.entity.js';

/** Provider data that the model wants back with a step. Kept while the turn runs, for whoever continues it. */
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
