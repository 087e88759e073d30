import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OutboundError, readUrl } from '@palabre/outbound';
import { HEADER_NAME } from '@palabre/openapi';

import type { Viewer } from '../../companies/auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SkillError } from '../skill.js';
import { McpFailure } from './client/mcp-failure.js';
import { type ToolListing, isServerKey, MAX_SERVER_KEY_CHARACTERS } from './client/mcp-tools.js';
import { CompanyMcpConnections } from './company-mcp-connections.service.js';
import { CompanyServerLinks } from './company-server-links.js';
import { registrationOf, McpToolStore } from './mcp-tool-store.service.js';
import { type McpServer, type McpServerRegistration, McpServerRepository } from './mcp-server.repository.js';
import { McpGrants } from './oauth/mcp-grants.service.js';

const MAX_SERVERS = 50;
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

  /** Starts another attempt to reach those that failed. */
  async list({ companyId }: Viewer): Promise<McpServer[]> {
    const servers = await this.database.read(companyId, (tx) => this.servers.list(tx, MAX_SERVERS));
    for (const server of servers.filter(({ failure }) => failure !== null)) this.askAgain(server);
    return servers;
  }

  async find({ companyId, role }: Viewer, id: string): Promise<McpServer | null> {
    if (role === 'MEMBER') return null;
    return this.database.read(companyId, (tx) => this.servers.find(tx, id));
  }

  /** What of it is not used, and why, in words for people. */
  notes(server: McpServer): string[] {
    return [...this.grants.notes(server), ...server.notes];
  }

  /**
   * Adds a server, or changes the one of its key, and asks it for its tools. One that cannot be reached is registered
   * nevertheless, and asked again. Rejects with BAD_USER_INPUT, or CONFLICT when there are too many.
   */
  async register(viewer: Viewer, given: unknown): Promise<McpServer> {
    const input = checkInput(McpServerInput, given);
    this.store.requireFree(input.key);
    const { server, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      // Headers are encrypted for the server's id, and another admin may be adding the server.
      const held = await this.addMissing(tx, input);
      const { id } = held;
      // A token is for the server that it was given for.
      const forgotten = held.url === input.url ? null : await this.grants.forget(tx, held, 'NONE');
      await this.servers.update(tx, this.rowOf(viewer.companyId, id, input));
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

  /** Asks a server for its tools now, whatever it answered before. Rejects with NOT_FOUND. */
  async refresh(viewer: Viewer, key: string): Promise<McpServer> {
    const server = await this.database.transaction(viewer.companyId, async (tx) => {
      const found = await this.get(tx, key);
      await this.audit.record(tx, viewer.id, 'mcp-server.refreshed', key);
      return found;
    });
    return this.ask(server);
  }

  /** Removes a server and the skills that are its tools, and gives its id. Rejects with NOT_FOUND. */
  async remove(viewer: Viewer, key: string): Promise<string> {
    const { id, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      const server = await this.servers.lock(tx, (await this.get(tx, key)).id);
      if (!server) throw notFound('MCP server');
      await this.store.removeAll(tx, server.id);
      await this.servers.remove(tx, server.id);
      await this.audit.record(tx, viewer.id, 'mcp-server.removed', key);
      return { id: server.id, forgotten: this.grants.read(server) };
    });
    this.connections.close(id);
    await this.grants.revoke(viewer.companyId, forgotten);
    return id;
  }

  /** Forgets by whose tokens it lets the company in, and has them revoked. Rejects with NOT_FOUND. */
  async signOut(viewer: Viewer, key: string): Promise<McpServer> {
    const { server, forgotten } = await this.database.transaction(viewer.companyId, async (tx) => {
      const held = await this.servers.lock(tx, (await this.get(tx, key)).id);
      if (!held) throw notFound('MCP server');
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
    const server = key.includes('\0') ? null : await this.servers.findByKey(tx, key);
    if (!server) throw notFound('MCP server', path);
    return server;
  }

  /** Asks a server for its tools, outside of any transaction, and stores what came of it. */
  async ask(server: McpServer): Promise<McpServer> {
    for (let tries = 1; ; tries += 1) {
      const found = await this.listingOf(server);
      const isKept = found !== null && !this.connections.isStopping && (await this.keep(server, found));
      const current = await this.database.read(server.companyId, (tx) => this.servers.find(tx, server.id));
      if (!current) throw notFound('MCP server');
      if (isKept) return current;
      const isOutdated = registrationOf(current) !== registrationOf(server);
      if (isOutdated) this.connections.closeOutdated(server);
      // Whoever registered it again asks it. Otherwise, a late request for an earlier registration closed our connection.
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
      // Its failure says so already.
      if (!(error instanceof SkillError)) throw error;
    }
  }

  /** What it can do, or why that is not known; null: the connection was closed on our side meanwhile. */
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

  /** The server of this key, added if there is none, and held. */
  private async addMissing(
    tx: Transaction,
    { key, url, timeoutSeconds }: McpServerInput,
  ): Promise<McpServer> {
    const isNew = (await this.servers.findByKey(tx, key)) === null;
    if (isNew && (await this.servers.list(tx, MAX_SERVERS)).length === MAX_SERVERS) {
      throw new DomainError('CONFLICT', `A company can have at most ${MAX_SERVERS} MCP servers.`);
    }
    const server = await this.servers.add(tx, { id: newId(), key, url, timeoutMs: timeoutSeconds * 1_000 });
    if (!server) throw notFound('MCP server');
    return server;
  }
}

const MAX_HEADERS = 20;
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Set by the connection, or by the protocol. */
const reservedHeaders =
  /^(host|connection|content-length|content-type|transfer-encoding|accept|te|upgrade|last-event-id|mcp-.*)$/i;

const Header = z.object({
  name: z
    .string()
    .regex(HEADER_NAME, 'This is not the name of a header.')
    .refine((name) => !reservedHeaders.test(name), 'This header is set by the connection itself.'),
  value: z
    .string()
    .min(1, 'This must not be empty.')
    .max(8_000, 'This must be at most 8000 characters long.')
    .regex(/^[\t\x20-\x7e]*$/, 'This must be plain ASCII in one line.'),
});

function areUnique(headers: readonly { name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length;
}

/** What an admin registers. */
const McpServerInput = z.object({
  key: z
    .string()
    .refine(
      isServerKey,
      `This must be at most ${MAX_SERVER_KEY_CHARACTERS} letters and digits, with single - or _ between them.`,
    ),
  url: z.string().trim().max(2_000, 'This must be at most 2000 characters long.').superRefine(checkUrl),
  headers: z
    .array(Header)
    .max(MAX_HEADERS, `These must be at most ${MAX_HEADERS}.`)
    .refine(areUnique, 'Each header can be there once.')
    .nullish()
    .transform((headers) => headers ?? []),
  timeoutSeconds: z
    .int()
    .min(1, 'This must be from 1 to 600.')
    .max(600, 'This must be from 1 to 600.')
    .nullish()
    .transform((seconds) => seconds ?? DEFAULT_TIMEOUT_SECONDS),
  trustAnnotations: z
    .boolean()
    .nullish()
    .transform((trust) => trust ?? false),
});

type McpServerInput = z.output<typeof McpServerInput>;

function checkUrl(text: string, context: z.core.$RefinementCtx<string>): void {
  try {
    readUrl(text);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: text });
  }
}
