import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../common/json.js';
import { Turn } from './turn.entity.js';
import type { SkillCallStatus } from './turn-event.js';

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

  @Column('text')
  status!: SkillCallStatus;

  @Column('text', { nullable: true })
  resultPreview!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
