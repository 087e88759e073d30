import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** The state of the company's sign-in at a server. */
export type McpAuthorization = 'NONE' | 'NEEDED' | 'GRANTED' | 'EXPIRED';

/** A Model Context Protocol server that a company has connected. */
@Entity()
@Index('mcp_server_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class McpServer extends CreatedRow {
  /** The prefix of its tools' keys. */
  @Column('text')
  key!: string;

  /** Its Streamable HTTP endpoint. */
  @Column('text')
  url!: string;

  /** The names of its headers. The values are secrets. */
  @Column('text', { array: true })
  headerNames!: string[];

  /** A JSON object of header names and values, encrypted; null: none. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  @Column('integer')
  timeoutMs!: number;

  /** Whether its claims are trusted that a tool's call changes nothing, or may be repeated without harm. */
  @Column('boolean', { default: false })
  trustAnnotations!: boolean;

  /** When it was last asked for its tools. Null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkedAt!: Date | null;

  /** Why that failed, in words for people. Null: it did not. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** Its unused tools, with reasons for people. */
  @Column('text', { array: true, default: '{}' })
  notes!: string[];

  @Column('text', { default: 'NONE' })
  authorization!: McpAuthorization;

  /** The last sign-in. Null: none, or signed out. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  grantedAt!: Date | null;

  /** The stored sign-in, as encrypted JSON: see `StoredGrant`. Null: none. */
  @Column('text', { nullable: true })
  grantSecrets!: string | null;
}

export type McpServerRegistration = Pick<
  McpServer,
  'id' | 'url' | 'headerNames' | 'secrets' | 'timeoutMs' | 'trustAnnotations'
>;

@Injectable()
export class McpServerRepository extends rowsOf(McpServer) {
  listFirst(tx: Transaction, limit: number): Promise<McpServer[]> {
    return tx.list(McpServer, {}, `ORDER BY key COLLATE "C" LIMIT ${limit}`);
  }

  /** Adds a server without headers, unless the key exists. Returns the row with the key, locked. */
  async add(
    tx: Transaction,
    server: Pick<McpServer, 'id' | 'key' | 'url' | 'timeoutMs'>,
  ): Promise<McpServer | null> {
    await tx.insert(McpServer, { ...server, headerNames: [] }, 'ON CONFLICT (company_id, key) DO NOTHING');
    return tx.lock(McpServer, { key: server.key }, 'FOR UPDATE');
  }

  /** The result of asking it. Null: the notes stay. */
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
}
