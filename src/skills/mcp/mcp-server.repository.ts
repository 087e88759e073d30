import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { McpServer } from './mcp-server.entity.js';

/** What an admin decides of a server. */
export type McpServerRegistration = Pick<
  McpServer,
  'id' | 'url' | 'headerNames' | 'secrets' | 'timeoutMs' | 'trustAnnotations'
>;

@Injectable()
export class McpServerRepository {
  list(tx: Transaction, limit: number): Promise<McpServer[]> {
    return tx.list(McpServer, {}, `ORDER BY key COLLATE "C" LIMIT ${limit}`);
  }

  find(tx: Transaction, id: string): Promise<McpServer | null> {
    return tx.find(McpServer, { id });
  }

  findByKey(tx: Transaction, key: string): Promise<McpServer | null> {
    return tx.find(McpServer, { key });
  }

  /** The row, held until `tx` ends. */
  lock(tx: Transaction, id: string): Promise<McpServer | null> {
    return tx.lock(McpServer, { id }, 'FOR UPDATE');
  }

  /** Adds a server that knows no headers yet, unless there is one of its key; gives the row that there is, held. */
  async add(
    tx: Transaction,
    server: Pick<McpServer, 'id' | 'key' | 'url' | 'timeoutMs'>,
  ): Promise<McpServer | null> {
    await tx.insert(McpServer, { ...server, headerNames: [] }, 'ON CONFLICT (company_id, key) DO NOTHING');
    return tx.lock(McpServer, { key: server.key }, 'FOR UPDATE');
  }

  async update(tx: Transaction, server: McpServerRegistration): Promise<void> {
    await tx.update(McpServer, { id: server.id }, server);
  }

  /** What came of asking it; null: the notes stay as they are. */
  async noteAnswer(
    tx: Transaction,
    id: string,
    { failure, notes }: { failure: string | null; notes: readonly string[] | null },
  ): Promise<void> {
    await tx.query(
      `UPDATE mcp_server SET checked_at = now(), failure = $3, notes = coalesce($4, notes)
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, failure, notes],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.delete(McpServer, { id });
  }
}
