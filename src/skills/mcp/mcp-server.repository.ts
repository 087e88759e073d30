import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

/** How the company stands with a server that wants somebody to sign in. */
export type McpAuthorization = 'NONE' | 'NEEDED' | 'GRANTED' | 'EXPIRED';

/** A Model Context Protocol server that a company has connected. */
@Entity()
@Index('mcp_server_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class McpServer extends CreatedRow {
  /** What its tools' keys begin with. */
  @Column('text')
  key!: string;

  /** Its Streamable HTTP endpoint. */
  @Column('text')
  url!: string;

  /** The names of the headers it is sent, whose values are among the secrets. */
  @Column('text', { array: true })
  headerNames!: string[];

  /** A JSON object of header names and values, encrypted; null: none. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  @Column('integer')
  timeoutMs!: number;

  /** Whether what it says of a tool is believed: that carrying it out again does no harm. */
  @Column('boolean', { default: false })
  trustAnnotations!: boolean;

  /** When its tools were last asked for; null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkedAt!: Date | null;

  /** Why that failed, in words for people; null: it did not. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** What of its tools is not used, and why, in words for people. */
  @Column('text', { array: true, default: '{}' })
  notes!: string[];

  @Column('text', { default: 'NONE' })
  authorization!: McpAuthorization;

  /** When somebody last signed in; null: nobody has, or they have signed out. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  grantedAt!: Date | null;

  /** What is known of signing in, as encrypted JSON: see `StoredGrant`. Null: nothing. */
  @Column('text', { nullable: true })
  grantSecrets!: string | null;
}

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

  async updateGrant(
    tx: Transaction,
    id: string,
    grant: Partial<Pick<McpServer, 'authorization' | 'grantedAt' | 'grantSecrets'>>,
  ): Promise<void> {
    await tx.update(McpServer, { id }, grant);
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
