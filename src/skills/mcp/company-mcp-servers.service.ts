import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../companies/auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { DomainError, existing, notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SkillError } from '../skill.js';
import { McpFailure } from './client/mcp-failure.js';
import type { ToolListing } from './client/mcp-tools.js';
import { CompanyMcpConnections } from './company-mcp-connections.service.js';
import { CompanyServerLinks } from './company-server-links.js';
import { MAX_SERVERS, McpServerInput } from './mcp-server-input.js';
import { registrationOf, McpToolStore } from './mcp-tool-store.service.js';
import { type McpServer, type McpServerRegistration, McpServerRepository } from './mcp-server.repository.js';
import { McpGrants } from './oauth/mcp-grants.service.js';

const MAX_TRIES = 5;

/** The MCP servers that a company has connected. The caller has checked the role. */
@Injectable()
export class CompanyMcpServers {
  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly store: McpToolStore,
    private readonly connections: CompanyMcpConnections,
    private readonly links: CompanyServerLinks,
    private readonly audit: AuditService,
    private readonly grants: McpGrants,
  ) {}

  /** Starts another attempt to reach failed servers. */
  async list({ companyId }: Viewer): Promise<McpServer[]> {
    const servers = await this.database.read(companyId, (tx) => this.servers.listFirst(tx, MAX_SERVERS));
    for (const server of servers.filter(({ failure }) => failure !== null)) this.askAgain(server);
    return servers;
  }

  async find({ companyId, role }: Viewer, id: string): Promise<McpServer | null> {
    if (role === 'MEMBER') return null;
    return this.database.read(companyId, (tx) => this.servers.find(tx, { id }));
  }

  /** Unused parts of the server, with reasons for people. */
  notes(server: McpServer): string[] {
    return [...this.grants.notes(server), ...server.notes];
  }

  /**
   * Adds or changes a server, and asks for its tools. An unreachable one is registered too, and asked again later.
   * Rejects with BAD_USER_INPUT, or CONFLICT when there are too many.
   */
  async register(viewer: Viewer, given: unknown): Promise<McpServer> {
    const input = checkInput(McpServerInput, given);
    this.store.requireFree(input.key);
    const { server, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      // Headers are encrypted for the server's id, and another admin may be adding the server.
      const held = await this.addMissing(tx, input);
      const { id } = held;
      // A token is only for its server.
      const forgotten = held.url === input.url ? null : await this.grants.forget(tx, held, 'NONE');
      await this.servers.update(tx, { id }, this.rowOf(viewer.companyId, id, input));
      const headers = input.headers.map(({ name }) => name);
      await this.audit.record(tx, viewer.id, 'mcp-server.registered', input.key, {
        host: new URL(input.url).host,
        headers,
        trustAnnotations: input.trustAnnotations,
      });
      return { server: await this.get(tx, input.key), forgotten };
    });
    if (forgotten) await this.grants.revoke(viewer.companyId, forgotten);
    return this.ask(server);
  }

  /** Asks a server for its tools now, despite earlier answers. Rejects with NOT_FOUND. */
  async refresh(viewer: Viewer, key: string): Promise<McpServer> {
    const server = await this.database.transaction(viewer.companyId, async (tx) => {
      const found = await this.get(tx, key);
      await this.audit.record(tx, viewer.id, 'mcp-server.refreshed', key);
      return found;
    });
    return this.ask(server);
  }

  /** Removes a server with its tools, and returns its id. Rejects with NOT_FOUND. */
  async remove(viewer: Viewer, key: string): Promise<string> {
    const { id, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      const server = existing(
        await this.servers.lock(tx, { id: (await this.get(tx, key)).id }, 'FOR UPDATE'),
        'MCP server',
      );
      await this.store.removeAll(tx, server.id);
      await this.servers.delete(tx, { id: server.id });
      await this.audit.record(tx, viewer.id, 'mcp-server.removed', key);
      return { id: server.id, forgotten: this.grants.read(server) };
    });
    this.connections.close(id);
    await this.grants.revoke(viewer.companyId, forgotten);
    return id;
  }

  /** Deletes and revokes the company's tokens for a server. Rejects with NOT_FOUND. */
  async signOut(viewer: Viewer, key: string): Promise<McpServer> {
    const { server, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      const held = existing(
        await this.servers.lock(tx, { id: (await this.get(tx, key)).id }, 'FOR UPDATE'),
        'MCP server',
      );
      const next = held.authorization === 'NONE' ? 'NONE' : 'NEEDED';
      const forgotten = await this.grants.forget(tx, held, next);
      if (forgotten.tokens) await this.audit.record(tx, viewer.id, 'mcp-server.signed-out', key);
      return { server: await this.get(tx, key), forgotten };
    });
    this.connections.close(server.id);
    await this.grants.revoke(viewer.companyId, forgotten);
    return server;
  }

  /** Rejects with NOT_FOUND. */
  async get(tx: Transaction, key: string, path?: readonly string[]): Promise<McpServer> {
    return existing(key.includes('\0') ? null : await this.servers.find(tx, { key }), 'MCP server', path);
  }

  /** Asks a server for its tools, outside any transaction, and stores the result. */
  async ask(server: McpServer): Promise<McpServer> {
    for (let tries = 1; ; tries += 1) {
      const found = await this.listingOf(server);
      const isKept = found !== null && !this.connections.isStopping && (await this.keep(server, found));
      const current = await this.database.read(server.companyId, (tx) =>
        this.servers.find(tx, { id: server.id }),
      );
      if (!current) throw notFound('MCP server');
      if (isKept) return current;
      const isOutdated = registrationOf(current) !== registrationOf(server);
      if (isOutdated) this.connections.closeOutdated(server);
      // A newer registration asks by itself. Otherwise, a late request for an older one closed our connection.
      if (isOutdated || this.connections.isStopping || tries === MAX_TRIES) return current;
    }
  }

  private keep(server: McpServer, found: ToolListing | string): Promise<boolean> {
    return typeof found === 'string' ? this.store.keepFailure(server, found) : this.store.keep(server, found);
  }

  private askAgain(server: McpServer): void {
    try {
      const connection = this.connections.of(server);
      if (connection.failure === null && !connection.isBusy) connection.listInBackground();
    } catch (error) {
      // The stored failure of the server says so already.
      if (!(error instanceof SkillError)) throw error;
    }
  }

  /** Its tools, or why they are unknown. Null: our side closed the connection meanwhile. */
  private async listingOf(server: McpServer): Promise<ToolListing | string | null> {
    try {
      const connection = this.connections.of(server);
      connection.forgive();
      return await connection.list();
    } catch (error) {
      if (error instanceof McpFailure && error.kind === 'CLOSED') return null;
      if (error instanceof McpFailure || error instanceof SkillError) return error.message;
      throw error;
    }
  }

  private rowOf(
    companyId: string,
    id: string,
    { url, headers, timeoutSeconds, trustAnnotations }: McpServerInput,
  ): McpServerRegistration {
    const values = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    return {
      id,
      url,
      trustAnnotations,
      headerNames: headers.map(({ name }) => name),
      secrets: this.links.encrypt({ companyId, id }, values),
      timeoutMs: timeoutSeconds * 1_000,
    };
  }

  /** The server with this key, added if missing, and locked. */
  private async addMissing(
    tx: Transaction,
    { key, url, timeoutSeconds }: McpServerInput,
  ): Promise<McpServer> {
    const isNew = (await this.servers.find(tx, { key })) === null;
    if (isNew && (await this.servers.listFirst(tx, MAX_SERVERS)).length === MAX_SERVERS) {
      const message = `A company can have at most ${MAX_SERVERS} MCP servers.`;
      throw new DomainError('CONFLICT', message, { limit: MAX_SERVERS });
    }
    const timeoutMs = timeoutSeconds * 1_000;
    return existing(await this.servers.add(tx, { id: newId(), key, url, timeoutMs }), 'MCP server');
  }
}
