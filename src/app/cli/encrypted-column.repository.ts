import type { Transaction } from '../../platform/database/transaction.js';

export interface EncryptedColumn {
  readonly table: 'skill_definition' | 'mcp_server' | 'provider' | 'webhook';
  readonly id: 'id' | 'skill_id';
  readonly column: 'secrets' | 'grant_secrets' | 'secret' | 'url' | 'api_key';
}

interface EncryptedValue {
  id: string;
  value: string;
}

export class EncryptedColumnRepository {
  /** Values that do not begin with `prefix`, after the row `after`, in the order of the rows' ids. */
  listOthers(
    tx: Transaction,
    { table, id, column }: EncryptedColumn,
    { prefix, after, limit }: { prefix: string; after: string | null; limit: number },
  ): Promise<EncryptedValue[]> {
    return tx.query<EncryptedValue>(
      `SELECT ${id} AS id, ${column} AS value FROM ${table}
       WHERE company_id = $1 AND NOT starts_with(${column}, $2) AND ($3::uuid IS NULL OR ${id} > $3)
       ORDER BY ${id} LIMIT $4`,
      [tx.companyId, prefix, after, limit],
    );
  }

  /** False: the value was changed or removed meanwhile. */
  async replace(
    tx: Transaction,
    { table, id, column }: EncryptedColumn,
    { id: rowId, value, before }: EncryptedValue & { before: string },
  ): Promise<boolean> {
    const replaced = await tx.query(
      `UPDATE ${table} SET ${column} = $3 WHERE company_id = $1 AND ${id} = $2 AND ${column} = $4 RETURNING 1`,
      [tx.companyId, rowId, value, before],
    );
    return replaced.length > 0;
  }
}
