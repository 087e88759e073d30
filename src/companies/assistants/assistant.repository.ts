import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AssistantDefinition } from './assistant-definition.js';
import { Assistant } from './assistant.entity.js';

@Injectable()
export class AssistantRepository {
  /** Adds the assistants that the company does not have yet. */
  async addMissing(tx: Transaction, definitions: readonly AssistantDefinition[]): Promise<void> {
    const rows = definitions.map(({ key, name, language, strategy, budget, remembers }) => ({
      companyId: tx.companyId,
      id: newId(),
      key,
      name,
      language,
      strategy,
      ...budget,
      ...remembers,
    }));
    await tx.manager.createQueryBuilder().insert().into(Assistant).values(rows).orIgnore().execute();
  }

  /** False: there is another one of that key. */
  async insert(tx: Transaction, assistant: Assistant): Promise<boolean> {
    const insert = tx.manager.createQueryBuilder().insert().into(Assistant).values(assistant);
    const { raw } = await insert.orIgnore().returning('id').execute();
    return (raw as unknown[]).length > 0;
  }

  async isArchived(tx: Transaction, id: string): Promise<boolean> {
    const found = await tx.one<{ archived: boolean }>(
      'SELECT archived FROM assistant WHERE company_id = $1 AND id = $2',
      [tx.companyId, id],
    );
    return found?.archived ?? false;
  }

  list(tx: Transaction): Promise<Assistant[]> {
    return tx.repository(Assistant).find({ where: { companyId: tx.companyId }, order: { key: 'ASC' } });
  }

  find(tx: Transaction, id: string): Promise<Assistant | null> {
    return tx.find(Assistant, { id });
  }

  findByKey(tx: Transaction, key: string): Promise<Assistant | null> {
    return tx.find(Assistant, { key });
  }

  /** Locks the assistant until the transaction ends, which serialises changes to it. */
  async lockByKey(tx: Transaction, key: string): Promise<Assistant | null> {
    return tx.lock(Assistant, { key });
  }

  async update(tx: Transaction, id: string, changes: Partial<Assistant>): Promise<void> {
    await tx.repository(Assistant).update({ companyId: tx.companyId, id }, changes);
  }

  findMany(tx: Transaction, ids: readonly string[]): Promise<Assistant[]> {
    return tx.list(Assistant, { id: ids });
  }
}
