import { Injectable } from '@nestjs/common';

import { newestFirst, pagedRowsOf } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { StoredFile } from './stored-file.entity.js';

export const storedFileOrder = newestFirst('files');

@Injectable()
export class StoredFileRepository extends pagedRowsOf(StoredFile) {
  /** A member's files that were made in these turns, of each turn the first `limit`, in the order of their ids. */
  listOfTurns(
    tx: Transaction,
    memberId: string,
    turnIds: readonly string[],
    limit: number,
  ): Promise<StoredFile[]> {
    return tx.select(
      StoredFile,
      `company_id = $1 AND id IN (
         SELECT file.id FROM unnest($3::uuid[]) AS turn (id) CROSS JOIN LATERAL (
           SELECT id FROM stored_file WHERE company_id = $1 AND member_id = $2 AND turn_id = turn.id
           ORDER BY id LIMIT $4) AS file) ORDER BY id`,
      [tx.companyId, memberId, turnIds, limit],
    );
  }

  /** The ids of the member's other files of the same kind. */
  async listOthersOf(
    tx: Transaction,
    { memberId, kind, id }: Pick<StoredFile, 'memberId' | 'kind' | 'id'>,
    limit: number,
  ): Promise<string[]> {
    return tx.ids(
      'SELECT id FROM stored_file WHERE company_id = $1 AND member_id = $2 AND kind = $3 AND id <> $4 LIMIT $5',
      [tx.companyId, memberId, kind, id, limit],
    );
  }

  /** Deletes the row and gives the storage key of its bytes. Null: the member has no such file. */
  async take(tx: Transaction, memberId: string, id: string): Promise<string | null> {
    const [row] = await tx.query<{ storageKey: string }>(
      `DELETE FROM stored_file WHERE company_id = $1 AND member_id = $2 AND id = $3
       RETURNING storage_key AS "storageKey"`,
      [tx.companyId, memberId, id],
    );
    return row?.storageKey ?? null;
  }
}
