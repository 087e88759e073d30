import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '@palabre/json';

import { Calendar } from '../../common/calendar.js';
import { Clock } from '../../common/clock.js';
import { fill, wordingIn } from '../../common/wording/wording.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import type { SkillDefinition, SkillKind } from '../skill.repository.js';
import { type SkillMaker, SkillMakers } from '../skill-sources.service.js';
import { ServiceError, type Skill } from '../skill.js';
import { type CallContext, McpConnection, type McpToolCall } from './client/mcp-connection.js';
import { CompanyServerLinks } from './company-server-links.js';
import { registrationOf, McpToolStore, type ToolSettings } from './mcp-tool-store.service.js';
import { type McpServer, McpServerRepository } from './mcp-server.repository.js';
import { skillOf } from './tool-skill.js';

const MAX_CONNECTIONS = 100;
const IDLE_MS = 300_000;

interface Entry {
  connection: McpConnection;
  /** The registration that the connection was opened for. A changed one gets a new connection. */
  registration: string;
}

const Settings = z.object({
  serverId: z.uuid(),
  tool: z.string().min(1),
  outputSchema: z.custom<JsonObject | null>(),
  readOnly: z.literal(true).optional(),
  gone: z.literal(true).optional(),
}) satisfies z.ZodType<ToolSettings>;

/**
 * This process's connections to companies' servers, which open on first use and close when idle. Creates the skills
 * of their tools.
 */
@Injectable()
export class CompanyMcpConnections implements SkillMaker, OnApplicationShutdown {
  readonly kind: SkillKind = 'MCP';

  /** By server id, the least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new Set<Promise<void>>();
  /** The process is stopping: failures say nothing about a server. */
  isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly servers: McpServerRepository,
    private readonly store: McpToolStore,
    private readonly links: CompanyServerLinks,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly calendar: Calendar,
    makers: SkillMakers,
  ) {
    makers.register(this);
  }

  make(key: string, definition: SkillDefinition): Skill {
    const { serverId, tool, outputSchema, readOnly = false, gone } = Settings.parse(definition.settings);
    const { name: title, description, timeoutMs, idempotent } = definition;
    const parameters = definition.parameters ?? { type: 'object' };
    const call = { tool, parameters, outputSchema, timeoutMs, idempotent };
    const skill = skillOf(key, { title, description }, call, {
      // Read-only implies idempotent; rows of earlier versions have only `readOnly`.
      readOnly: readOnly && idempotent,
      call: (input, context) => this.call(serverId, call, input, context),
      failure: () => this.failureOf(serverId),
    });
    if (!gone) return skill;
    const day = this.calendar.dayOf(definition.updatedAt);
    return {
      ...skill,
      unavailableReason: (language) => fill(wordingIn(language).skillUnavailable.notListed, { day }),
    };
  }

  /** Rejects with SkillError, with InputNeeded, or with the signal's reason. */
  async call(
    serverId: string,
    call: McpToolCall,
    input: JsonObject,
    context: CallContext,
  ): Promise<JsonValue> {
    const server = await this.database.read(context.companyId, (tx) =>
      this.servers.find(tx, { id: serverId }),
    );
    if (!server) {
      this.close(serverId);
      throw new ServiceError('The server of this tool was removed.');
    }
    return this.of(server).call(call, input, context);
  }

  /** Throws ServiceError for too many connections or unreadable secrets. */
  of(server: McpServer): McpConnection {
    const registration = registrationOf(server);
    let entry = this.entries.get(server.id);
    if (entry?.registration !== registration) {
      this.close(server.id);
      this.makeRoom();
      entry = { connection: this.connect(server), registration };
    }
    this.entries.delete(server.id);
    this.entries.set(server.id, entry);
    return entry.connection;
  }

  /** Why the server cannot be used now, as far as this process knows. Null: no known reason. */
  failureOf(serverId: string): string | null {
    return this.entries.get(serverId)?.connection.failure ?? null;
  }

  /** Does not wait: closing may take a while. */
  close(serverId: string): void {
    const entry = this.entries.get(serverId);
    if (!entry) return;
    this.entries.delete(serverId);
    const closed = entry.connection.close().finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  /** Closes the connection if it was opened for this registration. */
  closeOutdated(server: McpServer): void {
    if (this.entries.get(server.id)?.registration === registrationOf(server)) this.close(server.id);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const id of this.entries.keys()) this.close(id);
    await Promise.all(this.closing);
  }

  private connect(server: McpServer): McpConnection {
    if (this.isStopping) throw new ServiceError('The process is about to stop.');
    // Another process may have removed or changed it.
    const closeUnless = (isKept: boolean): void => {
      if (!isKept) this.closeOutdated(server);
    };
    return new McpConnection(this.links.of(server), {
      clock: this.clock,
      logger: this.logger,
      reopens: 'until-listed',
      listedAt: server.failure === null ? server.checkedAt : null,
      idleMs: IDLE_MS,
      onListing: (listing) => this.store.keep(server, listing).then(closeUnless),
      onFailure: (failure) => this.store.keepFailure(server, failure).then(closeUnless),
    });
  }

  private makeRoom(): void {
    if (this.entries.size < MAX_CONNECTIONS) return;
    const idle = [...this.entries].find(([, { connection }]) => !connection.isBusy);
    if (!idle) throw new ServiceError('Too many servers are in use at the moment. Try again later.');
    this.close(idle[0]);
  }
}
