import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import { badInput, DomainError } from '../../common/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { SkillDefinition } from '../skill-definition.entity.js';
import { type OwnSkill, SkillDefinitions } from '../skill-definitions.service.js';
import { keysOf, type McpTool, type ToolListing } from './client/mcp-tools.js';
import { InstalledMcpServers } from './installed-mcp-servers.service.js';
import { registrationOf } from './mcp-registration.js';
import type { McpServer } from './mcp-server.entity.js';
import { McpServerRepository } from './mcp-server.repository.js';

const MOST_NOTES = 50;

/** What a row of a tool holds besides its words. */
export type ToolSettings = { serverId: string; tool: string; outputSchema: JsonObject | null };

/** Keeps what companies' servers can do as rows, so that it is known while nobody is connected. */
@Injectable()
export class McpToolStore {
  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly definitions: SkillDefinitions,
    private readonly installed: InstalledMcpServers,
  ) {}

  /** Throws BAD_USER_INPUT for a key that one of the installation's servers has: their tools' keys would meet. */
  requireFree(key: string): void {
    if (this.installed.has(key))
      throw badInput(['input', 'key'], `The installation has a server ${key} already.`);
  }

  /** What `server` was found to be able to do. False: it was removed or registered anew meanwhile; nothing is kept. */
  keep(server: McpServer, listing: ToolListing): Promise<boolean> {
    return this.whileRegistered(server, (tx, held) => this.store(tx, held, listing));
  }

  /** Why that could not be found. False: as above. */
  keepFailure(server: McpServer, failure: string): Promise<boolean> {
    return this.whileRegistered(server, (tx, { id }) => this.servers.noteFailure(tx, id, failure));
  }

  private whileRegistered(
    server: McpServer,
    work: (tx: Transaction, held: McpServer) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(server.companyId, async (tx) => {
      const held = await this.servers.lock(tx, server.id);
      if (!held || registrationOf(held) !== registrationOf(server)) return false;
      await work(tx, held);
      return true;
    });
  }

  /** Adds, changes and removes rows until they are what the server says; `server` must be held. */
  private async store(tx: Transaction, server: McpServer, { tools, notes }: ToolListing): Promise<void> {
    const existing = new Map(
      (await this.definitions.listOfServer(tx, server.id)).map(({ row, definition }) => [
        row.key,
        definition,
      ]),
    );
    const keys = keysOf(
      server.key,
      tools.map(({ name }) => name),
    );
    const told = new Map(tools.map((tool) => [keys.get(tool.name) ?? tool.name, tool]));
    const clashes: string[] = [];
    // In one order, so that two of these do not wait for each other.
    for (const key of [...new Set([...existing.keys(), ...told.keys()])].toSorted()) {
      const [before, tool] = [existing.get(key), told.get(key)];
      if (!tool) {
        await this.definitions.remove(tx, key, 'MCP');
        continue;
      }
      const own = ownSkillOf(server, key, tool, before !== undefined);
      if (before && isSame(before, own)) continue;
      if (!(await this.put(tx, own))) clashes.push(`${tool.name}: There is another skill of the key ${key}.`);
    }
    await this.servers.noteListing(tx, server.id, [...clashes, ...notes].slice(0, MOST_NOTES));
  }

  /** Removes the rows of all its tools. */
  async removeAll(tx: Transaction, serverId: string): Promise<void> {
    for (const { row } of await this.definitions.listOfServer(tx, serverId)) {
      await this.definitions.remove(tx, row.key, 'MCP');
    }
  }

  /** Whether the key was to be had. */
  private async put(tx: Transaction, own: OwnSkill): Promise<boolean> {
    try {
      await this.definitions.put(tx, own);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'CONFLICT') return false;
      throw error;
    }
  }
}

const ownSkillOf = (server: McpServer, key: string, tool: McpTool, replace: boolean): OwnSkill => ({
  key,
  kind: 'MCP',
  name: tool.title,
  description: tool.description,
  category: server.key,
  parameters: tool.parameters,
  idempotent: server.trustAnnotations && tool.saysIdempotent,
  timeoutMs: server.timeoutMs,
  settings: { serverId: server.id, tool: tool.name, outputSchema: tool.outputSchema } satisfies ToolSettings,
  secrets: null,
  serverId: server.id,
  replace,
});

const isSame = (definition: SkillDefinition, own: OwnSkill): boolean =>
  definition.name === own.name &&
  definition.description === own.description &&
  definition.category === own.category &&
  definition.idempotent === own.idempotent &&
  definition.timeoutMs === own.timeoutMs &&
  isDeepStrictEqual(definition.parameters, own.parameters) &&
  isDeepStrictEqual(definition.settings, own.settings);
