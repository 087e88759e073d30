import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';
import { byKey } from '@palabre/text';

import type { Role } from '../companies/auth/viewer.js';
import { CompanyRow, IdentifiedRow } from '../platform/database/rows.js';
import { newId } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';

const skillKinds = ['FUNCTION', 'INSTRUCTIONS', 'HTTP', 'MCP'] as const;
export type SkillKind = (typeof skillKinds)[number];

/** One skill of one company. The code or pack defines the skill, this row its use. */
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

  /** Whether a person must approve its calls, by an admin's decision. Null: depends on its effect. */
  @Column('boolean', { nullable: true })
  requiresApproval!: boolean | null;

  /** Whether the asking member may approve if an admin requires approval. Otherwise only an admin may. */
  @Column('boolean', { default: false })
  askerMayApprove!: boolean;

  /** The lowest role whose questions may use the skill. */
  @Column('text', { default: 'MEMBER' })
  leastRole!: Role;

  /** The keys of the assistants that may use it. Null: as defined by the skill, or all. */
  @Column('text', { array: true, nullable: true })
  assistants!: string[] | null;

  /** Whether MCP clients are offered it as a tool. */
  @Column('boolean', { default: false })
  exposed!: boolean;

  /** The company's own skill, with a definition. Otherwise the installation's. */
  @Column('boolean', { default: false })
  own!: boolean;

  /** The version of its definition. */
  @Column('integer', { default: 1 })
  revision!: number;

  /** The company's MCP server of this tool. Null: not such a tool. */
  @Column('uuid', { nullable: true })
  serverId!: string | null;
}

/** A company's own skill: an endpoint, a server's tool, or an uploaded pack. */
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

  /** May safely be repeated after a crash. */
  @Column('boolean', { default: false })
  idempotent!: boolean;

  @Column('integer')
  timeoutMs!: number;

  /** Further settings of its kind, checked when read. */
  @Column('jsonb')
  settings!: JsonObject;

  /** A JSON object of names and values, encrypted. Null: none. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** The most skills of a company, and the most own ones. */
const MAX_SKILLS = 5_000;
export const MAX_OWN_SKILLS = 2_000;

export type NewSkill = Pick<SkillRow, 'key' | 'kind' | 'active'>;

@Injectable()
export class SkillRepository {
  async addMissing(tx: Transaction, unordered: readonly NewSkill[]): Promise<void> {
    // In a fixed order, so that concurrent additions cannot deadlock.
    const rows = unordered
      .toSorted(byKey)
      .map(({ key, kind, active }) => ({ id: newId(), key, kind, active }));
    await tx.insertAll(SkillRow, rows, 'ON CONFLICT (company_id, key) DO NOTHING');
  }

  list(tx: Transaction): Promise<SkillRow[]> {
    return tx.list(SkillRow, {}, `ORDER BY key COLLATE "C" LIMIT ${MAX_SKILLS}`);
  }

  async countOwn(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM skill WHERE company_id = $1 AND own',
      [tx.companyId],
    );
    return row?.count ?? 0;
  }

  listOfServer(tx: Transaction, serverId: string): Promise<SkillRow[]> {
    return tx.list(SkillRow, { serverId }, `ORDER BY key COLLATE "C" LIMIT ${MAX_SKILLS}`);
  }

  async findByKey(tx: Transaction, key: string): Promise<SkillRow | null> {
    // PostgreSQL rejects a NUL in a parameter, and models may write one.
    if (key.includes('\0')) return null;
    return tx.find(SkillRow, { key });
  }

  /** The row, locked until `tx` ends. */
  async lock(tx: Transaction, key: string): Promise<SkillRow | null> {
    if (key.includes('\0')) return null;
    return tx.lock(SkillRow, { key }, 'FOR UPDATE');
  }

  async update(tx: Transaction, key: string, changes: Partial<SkillSwitches>): Promise<void> {
    await tx.repository(SkillRow).update({ companyId: tx.companyId, key }, changes);
  }

  /** Makes its definition the company's own, in a new version. */
  async makeOwn(
    tx: Transaction,
    { id, kind, serverId, active }: Pick<SkillRow, 'id' | 'kind' | 'serverId' | 'active'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE skill SET own = true, kind = $3, server_id = $4, active = $5, revision = revision + 1
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, kind, serverId, active],
    );
  }

  /** Makes it the installation's again, with the kind that it has there. */
  async disown(tx: Transaction, id: string, kind: SkillKind): Promise<void> {
    await tx.query(
      `UPDATE skill SET own = false, kind = $3, server_id = NULL, revision = revision + 1
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, kind],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.delete(SkillRow, { id });
  }

  async findDefinitions(tx: Transaction, skillIds: readonly string[]): Promise<Map<string, SkillDefinition>> {
    const found = await tx.list(SkillDefinition, { skillId: skillIds });
    return new Map(found.map((definition) => [definition.skillId, definition]));
  }

  async putDefinition(
    tx: Transaction,
    definition: Omit<SkillDefinition, 'companyId' | 'updatedAt'>,
  ): Promise<void> {
    await tx.put(SkillDefinition, definition, 'updated_at = now()');
  }

  async removeDefinition(tx: Transaction, skillId: string): Promise<void> {
    await tx.delete(SkillDefinition, { skillId });
  }
}

/** Admins' decisions on a skill. */
export type SkillSwitches = Pick<
  SkillRow,
  'active' | 'requiresApproval' | 'askerMayApprove' | 'leastRole' | 'assistants' | 'exposed'
>;
