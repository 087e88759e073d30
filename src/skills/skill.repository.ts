import { Injectable } from '@nestjs/common';
import { byKey } from '@palabre/text';

import { newId } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';
import { SkillDefinition, type SkillKind, SkillRow } from './skill.entity.js';

/** The most that a company's skills can be, and of those its own. */
const MAX_SKILLS = 5_000;
export const MAX_OWN_SKILLS = 2_000;

export type NewSkill = Pick<SkillRow, 'key' | 'kind' | 'active'>;

@Injectable()
export class SkillRepository {
  /** Adds rows for those that the company has none of yet. */
  async addMissing(tx: Transaction, unordered: readonly NewSkill[]): Promise<void> {
    // In one order, or two who add the same would wait for each other.
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

  /** The row, held until `tx` ends. */
  async lock(tx: Transaction, key: string): Promise<SkillRow | null> {
    if (key.includes('\0')) return null;
    return tx.lock(SkillRow, { key }, 'FOR UPDATE');
  }

  async update(tx: Transaction, key: string, changes: Partial<SkillSwitches>): Promise<void> {
    await tx.repository(SkillRow).update({ companyId: tx.companyId, key }, changes);
  }

  /** Its definition is the company's own from now on, and another one than before. */
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

  /** It is the installation's again, of the kind that it has there. */
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

  /** By the ids of their skills. */
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

/** What admins decide of a skill. */
export type SkillSwitches = Pick<
  SkillRow,
  'active' | 'requiresApproval' | 'askerMayApprove' | 'leastRole' | 'assistants' | 'exposed'
>;
