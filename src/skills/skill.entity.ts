import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { Role } from '../companies/auth/viewer.js';
import { CompanyRow, IdentifiedRow } from '../platform/database/rows.entity.js';

const skillKinds = ['FUNCTION', 'INSTRUCTIONS', 'HTTP', 'MCP'] as const;
export type SkillKind = (typeof skillKinds)[number];

/** One skill as one company has it: what it is comes from the code or the pack, whether it is used from this row. */
@Entity('skill')
@Index('skill_key', ['companyId', 'key'], { unique: true })
@Index('skill_server', ['companyId', 'serverId'], { where: 'server_id IS NOT NULL' })
@ForeignKey('McpServer', ['companyId', 'serverId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class SkillRow extends IdentifiedRow {
  @Column('text')
  key!: string;

  @Column('text')
  kind!: SkillKind;

  /** The model sees a skill only while it is active. */
  @Column('boolean', { default: true })
  active!: boolean;

  /** Whether a person is asked before the skill is carried out, as an admin has decided; null: it follows from its effect. */
  @Column('boolean', { nullable: true })
  requiresApproval!: boolean | null;

  /** Whether the person who asked the question may approve, where an admin requires approval. Otherwise an admin has to. */
  @Column('boolean', { default: false })
  askerMayApprove!: boolean;

  /** The lowest role whose questions may use the skill. */
  @Column('text', { default: 'MEMBER' })
  leastRole!: Role;

  /** The keys of the assistants that may use it; null: as the skill itself says, or all of them. */
  @Column('text', { array: true, nullable: true })
  assistants!: string[] | null;

  /** Whether hosts of the Model Context Protocol are offered it as a tool. */
  @Column('boolean', { default: false })
  exposed!: boolean;

  /** The company's own: what it is stands in its definition. Otherwise the installation has it. */
  @Column('boolean', { default: false })
  own!: boolean;

  /** Counts the changes of its definition. */
  @Column('integer', { default: 1 })
  revision!: number;

  /** The MCP server of the company's that it is a tool of; null: of none. */
  @Column('uuid', { nullable: true })
  serverId!: string | null;
}

/** What a skill of a company's own is: an endpoint, a tool of a server, an uploaded pack. */
@Entity()
@ForeignKey(() => SkillRow, ['companyId', 'skillId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class SkillDefinition extends CompanyRow {
  @PrimaryColumn('uuid')
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
