import type { StoredBlock } from '@palabre/lexical';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { ListChanges } from './inverted-lists.js';
import { asParameter } from './postgres-arrays.js';

/** The blocks of terms from `first` to `last`, in order. */
export function listBlocks(
  tx: Transaction,
  scopeId: number,
  { first, last }: { first: number; last: number },
  limit: number | null = null,
): Promise<StoredBlock[]> {
  return tx.query(
    `SELECT first_term AS "firstTerm", data FROM search_list_block
     WHERE company_id = $1 AND scope_id = $2 AND first_term <= $4 AND first_term >= coalesce((
         SELECT first_term FROM search_list_block WHERE company_id = $1 AND scope_id = $2 AND first_term <= $3::bigint
         ORDER BY company_id, scope_id, first_term DESC LIMIT 1), $3)
       ORDER BY company_id, scope_id, first_term LIMIT $5`,
    [tx.companyId, scopeId, first, last, limit],
  );
}

export async function writeBlocks(
  tx: Transaction,
  scopeId: number,
  { blocks, blocksDeleted }: Pick<ListChanges, 'blocks' | 'blocksDeleted'>,
): Promise<void> {
  await awaitAll([
    tx.query(
      `DELETE FROM search_list_block
         WHERE company_id = $1 AND scope_id = $2 AND first_term = ANY($3::int[])`,
      [tx.companyId, scopeId, asParameter(blocksDeleted.firstTerms)],
    ),
    tx.query(
      `INSERT INTO search_list_block (company_id, scope_id, first_term, data)
         SELECT $1, $2, * FROM unnest($3::int[], $4::bytea[])
         ON CONFLICT (company_id, scope_id, first_term) DO UPDATE SET data = excluded.data`,
      [tx.companyId, scopeId, ...[blocks.firstTerms, blocks.data].map(asParameter)],
    ),
  ]);
}
