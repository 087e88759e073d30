import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Role } from '../companies/auth/viewer.js';
import { McpServer } from './mcp/mcp-server.entity.js';

const skillKinds = ['FUNCTION', 'INSTRUCTIONS', 'HTTP', 'MCP'] as const;
export type SkillKind = (typeof skillKinds)[number];

/** One skill as one company has it: what it is comes from the code or the pack, whether it is used from this row. */
@Entity('skill')
@Index('skill_key', ['companyId', 'key'], { unique: true })
@Index('skill_server', ['companyId', 'serverId'], { where: 'server_id IS NOT NULL' })
@ForeignKey(() => McpServer, ['companyId', 'serverId'], ['companyId', 'id'], {
  name: 'skill_server_fkey',
  onDelete: 'CASCADE',
})
export class SkillRow {
  @ForeignKey('Company', { name: 'skill_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_pkey' })
  id!: string;

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
