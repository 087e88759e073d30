import { Injectable } from '@nestjs/common';

import { rowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Provider } from './provider.entity.js';

@Injectable()
export class ProviderRepository extends rowsOf(Provider) {
  /** The assistants whose model is one of this provider's. */
  listUsers(tx: Transaction, key: string): Promise<{ key: string; model: string }[]> {
    return tx.query<{ key: string; model: string }>(
      `SELECT key, model FROM assistant WHERE company_id = $1 AND starts_with(model, $2) ORDER BY key`,
      [tx.companyId, `${key}/`],
    );
  }
}
