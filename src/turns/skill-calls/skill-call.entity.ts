import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { JsonObject, JsonValue } from '../../common/json.js';
import { Turn } from '../turn.entity.js';
import type { SkillCallStatus } from '../turn-event.js';

/** A skill the model asked for in a turn. Written together with the events that tell of it. */
@Entity()
@Index('skill_call_turn', ['companyId', 'turnId', 'id'])
@ForeignKey(() => Turn, ['companyId', 'turnId'], ['companyId', 'id'], {
  name: 'skill_call_turn_fkey',
  onDelete: 'CASCADE',
})
export class SkillCall {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_call_pkey' })
  companyId!: string;

  /** The `callId` of the events. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_call_pkey' })
  id!: string;

  @Column('uuid')
  turnId!: string;

  /** The skill's key. */
  @Column('text')
  skill!: string;

  @Column('jsonb')
  arguments!: JsonObject;

  /** Which of the turn's steps asked for it: 0, 1, 2 … */
  @Column('integer', { default: 0 })
  step!: number;

  /** What the model said before it asked, in that step. */
  @Column('text', { default: '' })
  preamble!: string;

  /** The id that the model gave the call, and the arguments as it wrote them. */
  @Column('text', { default: '' })
  modelCallId!: string;

  @Column('text', { default: '' })
  modelArguments!: string;

  @Column('text')
  status!: SkillCallStatus;

  /** What the model is to read; null while it runs, and when nobody knows. */
  @Column('text', { nullable: true })
  result!: string | null;

  @Column('text', { nullable: true })
  resultPreview!: string | null;

  /** The whole result, of a skill that gives the model less; null: the model had all of it. Read only when asked for. */
  @Column('jsonb', { nullable: true, select: false })
  details?: JsonValue | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
