import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { Transaction } from '../database/transaction.js';
import { SkillRow } from './skill.entity.js';

@Injectable()
export class SkillRepository {
  /** Adds the function skills that the company does not have yet, switched on. */
  async addMissingFunctions(tx: Transaction, keys: readonly string[]): Promise<void> {
    const rows = keys.map((key) => ({
      companyId: tx.companyId,
      id: newId(),
      key,
      kind: 'FUNCTION' as const,
    }));
    if (rows.length === 0) return;
    await tx.manager.createQueryBuilder().insert().into(SkillRow).values(rows).orIgnore().execute();
  }

  list(tx: Transaction): Promise<SkillRow[]> {
    return tx.select(SkillRow, 'company_id = $1 ORDER BY key', [tx.companyId]);
  }

  async findByKey(tx: Transaction, key: string): Promise<SkillRow | null> {
    // PostgreSQL refuses the question itself when there is a NUL in it, and models write what they like.
    if (key.includes('\0')) return null;
    return tx.selectOne(SkillRow, 'company_id = $1 AND key = $2', [tx.companyId, key]);
  }

  async setActive(tx: Transaction, key: string, active: boolean): Promise<void> {
    await tx.repository(SkillRow).update({ companyId: tx.companyId, key }, { active });
  }

  async setApproval(
    tx: Transaction,
    key: string,
    approval: Pick<SkillRow, 'requiresApproval' | 'askerMayApprove'>,
  ): Promise<void> {
    await tx.repository(SkillRow).update({ companyId: tx.companyId, key }, approval);
  }
}
