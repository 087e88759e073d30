import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../common/json.js';
import { SkillRow } from './skill.entity.js';

/** What a skill of a company's own is: an endpoint, a tool of a server, an uploaded pack. */
@Entity()
@ForeignKey(() => SkillRow, ['companyId', 'skillId'], ['companyId', 'id'], {
  name: 'skill_definition_skill_fkey',
  onDelete: 'CASCADE',
})
export class SkillDefinition {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_definition_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_definition_pkey' })
  skillId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text', { nullable: true })
  category!: string | null;

  /** JSON Schema; null for instructions. */
  @Column('jsonb', { nullable: true })
  parameters!: JsonObject | null;

  /** May be carried out again after a crash without harm. */
  @Column('boolean', { default: false })
  idempotent!: boolean;

  @Column('integer')
  timeoutMs!: number;

  /** What its kind needs to know besides: each kind's own, checked when it is read. */
  @Column('jsonb')
  settings!: JsonObject;

  /** A JSON object of names and values, encrypted; null: none. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
