import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { badInput } from '../../common/errors/domain-error.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { SkillDefinition } from '../skill.repository.js';
import { type OwnSkill, refusalOf, SkillDefinitions } from '../skill-definitions.service.js';
import { keysOf, MAX_NOTES, type McpTool, type ToolListing } from './client/mcp-tools.js';
import { InstalledMcpServers } from './installed-mcp-servers.service.js';
import { type McpServer, McpServerRepository } from './mcp-server.repository.js';

/**
 * The settings of a tool's row. `readOnly`: the server's claim that it changes nothing. `gone`: the server left it
 * out after the row's last change.
 */
export type ToolSettings = {
  serverId: string;
  tool: string;
  outputSchema: JsonObject | null;
  readOnly?: true | undefined;
  gone?: true | undefined;
};

/** Stores the tools of companies' servers as skills, so that they are known without a connection. */
@Injectable()
export class McpToolStore {
  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly definitions: SkillDefinitions,
    private readonly installed: InstalledMcpServers,
    private readonly audit: AuditService,
  ) {}

  /** Throws BAD_USER_INPUT for the key of an installed server, whose tools' keys would collide. */
  requireFree(key: string): void {
    if (this.installed.has(key))
      throw badInput(['input', 'key'], `The installation has a server ${key} already.`);
  }

  /** Stores the tools of `server`. False: it was removed or registered again meanwhile, and nothing was stored. */
  keep(server: McpServer, listing: ToolListing): Promise<boolean> {
    return this.whileRegistered(server, (tx, held) => this.store(tx, held, listing));
  }

  /** Stores why its tools could not be listed. False: as with `keep`. */
  keepFailure(server: McpServer, failure: string): Promise<boolean> {
    return this.whileRegistered(server, (tx, { id }) =>
      this.servers.noteAnswer(tx, id, { failure, notes: null }),
    );
  }

  private whileRegistered(
    server: McpServer,
    work: (tx: Transaction, held: McpServer) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, { id: server.id }, 'FOR UPDATE');
      if (!held || registrationOf(held) !== registrationOf(server)) return false;
      await work(tx, held);
      return true;
    });
  }

  /** Adds, changes and withdraws skills until they match the listing. `server` must be locked. */
  private async store(tx: Transaction, server: McpServer, { tools, notes }: ToolListing): Promise<void> {
    const rows = await this.definitions.listOfServer(tx, server.id);
    const existing = new Map(rows.map(({ row, definition }) => [row.key, definition]));
    const told = byKey(server, tools, existing);
    const changes: ToolChanges = { added: [], changed: [], gone: [] };
    const refusals: string[] = [];
    // Always in the same order, to avoid deadlocks.
    for (const key of [...new Set([...existing.keys(), ...told.keys()])].toSorted()) {
      const [before = null, tool] = [existing.get(key), told.get(key)];
      if (!tool) {
        if (before) await this.withdraw(tx, key, before, changes);
        continue;
      }
      const own = ownSkillOf(server, key, tool, before !== null);
      const refusal = await this.take(tx, own, before, changes);
      if (refusal !== null) refusals.push(`${tool.name}: ${refusal}`);
    }
    const unused = [...refusals, ...notes].slice(0, MAX_NOTES);
    await this.servers.noteAnswer(tx, server.id, { failure: null, notes: unused });
    const details = auditDetailsOf(changes);
    if (details) await this.audit.recordSystemChange(tx, 'mcp-server.tools-changed', server.key, details);
  }

  /** Why it is refused, for example because the key is taken. Null: it is not. */
  private async take(
    tx: Transaction,
    own: OwnSkill,
    before: SkillDefinition | null,
    changes: ToolChanges,
  ): Promise<string | null> {
    if (before && isSame(before, own)) return null;
    const refusal = await refusalOf(this.definitions.put(tx, own));
    if (refusal !== null) return refusal;
    if (!before || isGone(before)) changes.added.push(own.key);
    else if (!saysTheSame(before, own)) changes.changed.push(own.key);
    return null;
  }

  /** The admin's switches survive if a server hides a tool for a while. */
  private async withdraw(
    tx: Transaction,
    key: string,
    before: SkillDefinition,
    changes: ToolChanges,
  ): Promise<void> {
    await this.definitions.withdraw(tx, key, 'MCP', { ...before.settings, gone: true });
    if (!isGone(before)) changes.gone.push(key);
  }

  async removeAll(tx: Transaction, serverId: string): Promise<void> {
    for (const { row } of await this.definitions.listOfServer(tx, serverId))
      await this.definitions.remove(tx, row.key, 'MCP');
  }
}

function ownSkillOf(server: McpServer, key: string, tool: McpTool, replace: boolean): OwnSkill {
  return {
    key,
    kind: 'MCP',
    name: tool.title,
    description: tool.description,
    category: server.key,
    parameters: tool.parameters,
    idempotent: server.trustAnnotations && tool.saysIdempotent,
    timeoutMs: server.timeoutMs,
    settings: {
      serverId: server.id,
      tool: tool.name,
      outputSchema: tool.outputSchema,
      ...(server.trustAnnotations && tool.saysReadOnly && { readOnly: true as const }),
    } satisfies ToolSettings,
    secrets: null,
    serverId: server.id,
    replace,
  };
}

/** The listed tools by key. Tools keep the keys that they had before. */
function byKey(
  server: McpServer,
  tools: readonly McpTool[],
  existing: ReadonlyMap<string, SkillDefinition>,
): Map<string, McpTool> {
  const kept = new Map([...existing].map(([key, { settings }]) => [String(settings.tool), key]));
  const names = tools.map(({ name }) => name);
  const keys = keysOf(server.key, names, kept);
  return new Map(tools.map((tool) => [keys.get(tool.name) ?? tool.name, tool]));
}

function isGone({ settings }: SkillDefinition): boolean {
  return settings.gone === true;
}

function isSame(definition: SkillDefinition, own: OwnSkill): boolean {
  return (
    saysTheSame(definition, own) &&
    definition.category === own.category &&
    definition.idempotent === own.idempotent &&
    definition.timeoutMs === own.timeoutMs &&
    isDeepStrictEqual(definition.settings, own.settings)
  );
}

function saysTheSame(definition: SkillDefinition, own: OwnSkill): boolean {
  return (
    definition.name === own.name &&
    definition.description === own.description &&
    isDeepStrictEqual(definition.parameters, own.parameters)
  );
}

const MAX_NAMED = 50;

/** The changes by a listing, as keys of tools. */
interface ToolChanges {
  /** New or returned. */
  added: string[];
  /** With a changed description or arguments. */
  changed: string[];
  gone: string[];
}

/** The same for the audit. Null: nothing. */
function auditDetailsOf(changes: ToolChanges): JsonObject | null {
  const named = Object.entries(changes).filter(([, keys]) => keys.length > 0);
  return named.length === 0 ? null : Object.fromEntries(named.map(([what, keys]) => [what, truncated(keys)]));
}

function truncated(keys: readonly string[]): string[] {
  return keys.length <= MAX_NAMED
    ? [...keys]
    : [...keys.slice(0, MAX_NAMED), `and ${keys.length - MAX_NAMED} more`];
}

/** The settings that a connection depends on. When they change, it is opened anew. */
export function registrationOf({ url, secrets, timeoutMs, grantedAt }: McpServer): string {
  return JSON.stringify([url, secrets, timeoutMs, grantedAt]);
}
