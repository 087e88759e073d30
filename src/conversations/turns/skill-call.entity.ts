import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { SkillCallStatus } from './turn-event.js';
import { Turn } from './turn.entity.js';
import { IdentifiedRow } from '../../platform/database/rows.js';

/** A skill call by the model. Written together with its events, where its id is the `callId`. */
@Entity()
@Index('skill_call_turn', ['companyId', 'turnId', 'id'])
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class SkillCall extends IdentifiedRow {
  @Column('uuid')
  turnId!: string;

  /** The skill's key. */
  @Column('text')
  skill!: string;

  @Column('jsonb')
  arguments!: JsonObject;

  /** The step of the turn that asked for it: 0, 1, 2 … */
  @Column('integer', { default: 0 })
  step!: number;

  /** The model's text before its calls, in that step. */
  @Column('text', { default: '' })
  preamble!: string;

  /** The id that the model gave the call, and the arguments as it wrote them. */
  @Column('text', { default: '' })
  modelCallId!: string;

  @Column('text', { default: '' })
  modelArguments!: string;

  @Column('text')
  status!: SkillCallStatus;

  /** The result for the model; null while the call runs, and when its outcome is unknown. */
  @Column('text', { nullable: true })
  result!: string | null;

  @Column('text', { nullable: true })
  resultPreview!: string | null;

  /** The complete result if the model got less, else null. Loaded only on request. */
  @Column('jsonb', { nullable: true, select: false })
  details?: JsonValue | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;

  /** Its arguments and results were removed: see hiddenCall. Not stored. */
  hidden?: true;
}
