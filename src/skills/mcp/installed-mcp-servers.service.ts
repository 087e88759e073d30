import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { OutboundHttp } from '@palabre/outbound';

import { Clock } from '../../common/clock.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Config } from '../../common/config/config.js';
import { InstalledSkills } from '../skill-sources.service.js';
import { callableOf, type CatalogueSkill, type Skill } from '../skill.js';
import { ChildLink } from './client/child-link.js';
import { HttpLink } from './client/http-link.js';
import { LocalRunner } from '../../conversations/turns/claims/turn-queue.service.js';
import { McpConnection, type McpState } from './client/mcp-connection.js';
import type { McpServerLink } from './client/mcp-session.js';
import { keysOf, type McpTool, type ToolListing } from './client/mcp-tools.js';
import { secretsOfUrl, serverEcho } from '../http/secret-echo.js';
import { type InstalledServer, readServersFile } from './mcp-servers-file.js';
import { skillOf } from './tool-skill.js';

export interface InstalledServerState {
  key: string;
  state: McpState;
  /** Why it cannot be used, in words for people. Null: it can. */
  failure: string | null;
  tools: number;
  /** Its unused tools, with reasons. */
  notes: readonly string[];
}

interface Installed {
  key: string;
  connection: McpConnection;
  tools: CatalogueSkill[];
  /** Keys of all tools that it ever had, because switches are by key, and no tool may inherit another's. */
  keys: Map<string, string>;
  /** Null: never listed. */
  listing: ToolListing | null;
  /** The last logged failure. Null: none since it was connected. */
  warned: string | null;
}

const MAX_LOGGED_CHARACTERS = 500;
/** Names of variables with secret values. Others' values may be ordinary words. */
const secretName = /key|token|secret|password|passwd|credential|auth|private/i;

/**
 * The operator's own MCP servers. They are connected in the background, and again when lost. Their tools stay known
 * meanwhile. None delays the start or another server.
 */
@Injectable()
export class InstalledMcpServers implements OnModuleInit, OnApplicationShutdown {
  private installed: Installed[] = [];
  private changes = 0;

  constructor(
    private readonly config: Config,
    private readonly outbound: OutboundHttp,
    private readonly clock: Clock,
    private readonly runner: LocalRunner,
    @Inject(LOGGER) private readonly logger: Logger,
    skills: InstalledSkills,
  ) {
    skills.register('MCP', {
      current: () => Promise.resolve({ revision: this.changes, list: () => this.list() }),
      mayHaveLater: (name) => this.mayHaveLater(name),
    });
  }

  /** Rejects with ConfigError when the file cannot be used. */
  async onModuleInit(): Promise<void> {
    const servers = await readServersFile(this.config.skills.mcpServersFile);
    this.installed = servers.map((server) => this.connect(server));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.installed.map(({ connection }) => connection.close()));
  }

  private list(): CatalogueSkill[] {
    return this.installed.flatMap(({ tools }) => tools);
  }

  /** A whole server by `server/*`, a tool by `server__tool`. */
  private mayHaveLater(name: string): boolean {
    const servers = this.installed.map(({ key }) => key.toLowerCase());
    return servers.some((server) => name === `${server}/*` || name.startsWith(`${server}__`));
  }

  servers(): InstalledServerState[] {
    return this.installed.map(({ key, connection, tools, listing }) => ({
      key,
      state: connection.state,
      failure: connection.trouble,
      tools: tools.length,
      notes: listing?.notes ?? [],
    }));
  }

  has(key: string): boolean {
    return this.installed.some((server) => server.key === key);
  }

  private connect(server: InstalledServer): Installed {
    const connection = new McpConnection(this.linkOf(server), {
      clock: this.clock,
      logger: this.logger,
      reopens: 'always',
      listedAt: null,
      idleMs: null,
      onListing: (listing) => Promise.resolve(this.learn(installed, server, listing)),
      onFailure: (failure) => Promise.resolve(this.warn(installed, failure)),
    });
    const { key } = server;
    const installed: Installed = {
      key,
      connection,
      tools: [],
      keys: new Map(),
      listing: null,
      warned: null,
    };
    connection.listInBackground();
    return installed;
  }

  private linkOf({ key, way, timeoutMs }: InstalledServer): McpServerLink {
    if ('command' in way) {
      const secrets = Object.entries(way.env).flatMap(([name, value]) =>
        secretName.test(name) ? value : [],
      );
      const echo = serverEcho(secrets);
      const onLine = (said: string): void => {
        const line = echo.text(said).slice(0, MAX_LOGGED_CHARACTERS);
        this.logger.debug({ server: key, line }, 'an MCP server says');
      };
      return { key, echo, held: this.runner.held, open: () => new ChildLink(way, onLine) };
    }
    return {
      key,
      held: this.runner.held,
      echo: serverEcho([...Object.values(way.headers), ...secretsOfUrl(new URL(way.url))]),
      open: () => new HttpLink(this.outbound, { ...way, company: null, timeoutMs, isOperators: true }),
    };
  }

  private learn(installed: Installed, server: InstalledServer, listing: ToolListing): void {
    const { tools, notes } = listing;
    const known = installed.listing?.tools;
    installed.warned = null;
    installed.listing = listing;
    if (isDeepStrictEqual(tools, known)) return;
    const { keys } = installed;
    const names = tools.map(({ name }) => name);
    for (const [name, key] of keysOf(server.key, names, keys)) keys.set(name, key);
    installed.tools = tools.map((tool) => {
      const skill = this.skillOf(keys.get(tool.name) ?? tool.name, tool, installed.connection, server);
      return callableOf('MCP', skill, server.key);
    });
    this.changes += 1;
    this.logger.info({ server: server.key, tools: tools.length, notes }, 'an MCP server is connected');
  }

  private skillOf(key: string, tool: McpTool, connection: McpConnection, server: InstalledServer): Skill {
    const { name, parameters, outputSchema } = tool;
    const { timeoutMs, trustAnnotations } = server;
    const idempotent = trustAnnotations && tool.saysIdempotent;
    const call = { tool: name, parameters, outputSchema, timeoutMs, idempotent };
    return skillOf(key, tool, call, {
      readOnly: trustAnnotations && tool.saysReadOnly,
      call: (input, context) => connection.call(call, input, context),
      failure: () => connection.trouble,
    });
  }

  /** Logged once for each reason, because the server is tried repeatedly. */
  private warn(installed: Installed, failure: string): void {
    if (installed.warned === failure) return;
    installed.warned = failure;
    this.logger.warn({ server: installed.key, failure }, 'an MCP server cannot be used; it is tried again');
  }
}
