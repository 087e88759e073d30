import { Injectable } from '@nestjs/common';

import type { Transaction } from '../platform/database/transaction.js';
import { SkillDefinition } from './skill-definition.entity.js';

@Injectable()
export class SkillDefinitionRepository {
  findMany(tx: Transaction, skillIds: readonly string[]): Promise<SkillDefinition[]> {
    return tx.select(SkillDefinition, 'company_id = $1 AND skill_id = ANY ($2)', [tx.companyId, skillIds]);
  }

  async put(tx: Transaction, definition: Omit<SkillDefinition, 'companyId' | 'updatedAt'>): Promise<void> {
    await tx.query(
      `INSERT INTO skill_definition (company_id, skill_id, name, description, category, parameters, idempotent,
         timeout_ms, settings, secrets)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9::jsonb, $10)
       ON CONFLICT (company_id, skill_id) DO UPDATE SET name = $3, description = $4, category = $5,
         parameters = $6::jsonb, idempotent = $7, timeout_ms = $8, settings = $9::jsonb, secrets = $10,
         updated_at = now()`,
      [
        tx.companyId,
        definition.skillId,
        definition.name,
        definition.description,
        definition.category,
        definition.parameters && JSON.stringify(definition.parameters),
        definition.idempotent,
        definition.timeoutMs,
        JSON.stringify(definition.settings),
        definition.secrets,
      ],
    );
  }

  async remove(tx: Transaction, skillId: string): Promise<void> {
    await tx.query('DELETE FROM skill_definition WHERE company_id = $1 AND skill_id = $2', [
      tx.companyId,
      skillId,
    ]);
  }
}
