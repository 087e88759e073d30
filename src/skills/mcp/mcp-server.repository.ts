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
    return tx.select(McpServer, 'company_id = $1 ORDER BY key COLLATE "C" LIMIT $2', [tx.companyId, limit]);
  }

  find(tx: Transaction, id: string): Promise<McpServer | null> {
    return tx.selectOne(McpServer, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  findByKey(tx: Transaction, key: string): Promise<McpServer | null> {
    return tx.selectOne(McpServer, 'company_id = $1 AND key = $2', [tx.companyId, key]);
  }

  /** The row, held until `tx` ends. */
  async lock(tx: Transaction, id: string): Promise<McpServer | null> {
    await tx.query('SELECT FROM mcp_server WHERE company_id = $1 AND id = $2 FOR UPDATE', [tx.companyId, id]);
    return this.find(tx, id);
  }

  /** Adds a server that knows no headers yet, unless there is one of its key; gives the row that there is, held. */
  async add(
    tx: Transaction,
    server: Pick<McpServer, 'id' | 'key' | 'url' | 'timeoutMs'>,
  ): Promise<McpServer | null> {
    const { id, key, url, timeoutMs } = server;
    await tx.query(
      `INSERT INTO mcp_server (company_id, id, key, url, header_names, timeout_ms) VALUES ($1, $2, $3, $4, '{}', $5)
       ON CONFLICT (company_id, key) DO NOTHING`,
      [tx.companyId, id, key, url, timeoutMs],
    );
    await tx.query('SELECT FROM mcp_server WHERE company_id = $1 AND key = $2 FOR UPDATE', [
      tx.companyId,
      key,
    ]);
    return this.findByKey(tx, key);
  }

  async update(tx: Transaction, server: McpServerRegistration): Promise<void> {
    await tx.query(
      `UPDATE mcp_server SET url = $3, header_names = $4, secrets = $5, timeout_ms = $6, trust_annotations = $7
       WHERE company_id = $1 AND id = $2`,
      [
        tx.companyId,
        server.id,
        server.url,
        server.headerNames,
        server.secrets,
        server.timeoutMs,
        server.trustAnnotations,
      ],
    );
  }

  async noteListing(tx: Transaction, id: string, notes: readonly string[]): Promise<void> {
    await tx.query(
      'UPDATE mcp_server SET checked_at = now(), failure = NULL, notes = $3 WHERE company_id = $1 AND id = $2',
      [tx.companyId, id, notes],
    );
  }

  async noteFailure(tx: Transaction, id: string, failure: string): Promise<void> {
    await tx.query(
      'UPDATE mcp_server SET checked_at = now(), failure = $3 WHERE company_id = $1 AND id = $2',
      [tx.companyId, id, failure],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM mcp_server WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }
}
