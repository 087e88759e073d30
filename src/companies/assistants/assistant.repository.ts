import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { rowsOf } from '../../platform/database/rows-of.js';
import type { AssistantDefinition } from './assistant-definition.js';
import { Assistant } from './assistant.entity.js';

@Injectable()
export class AssistantRepository extends rowsOf(Assistant) {
  /** Adds the assistants that the company does not have yet. */
  async addMissing(tx: Transaction, definitions: readonly AssistantDefinition[]): Promise<void> {
    await awaitAll(
      definitions.map(({ key, name, language, strategy, budget, remembers }) => {
        const row = { id: newId(), key, name, language, strategy, ...budget, ...remembers };
        return this.insert(tx, row, 'ON CONFLICT DO NOTHING');
      }),
    );
  }

  async isArchived(tx: Transaction, id: string): Promise<boolean> {
    const found = await tx.one<{ archived: boolean }>(
      'SELECT archived FROM assistant WHERE company_id = $1 AND id = $2',
      [tx.companyId, id],
    );
    return found?.archived ?? false;
  }
}
