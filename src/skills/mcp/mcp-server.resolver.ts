import {
  Field,
  InputType,
  Int,
  ObjectType,
  Args,
  Mutation,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';

import {
  type Connection,
  connectionOf,
  toConnection,
  ForwardPageArguments,
} from '../../common/schema/page.js';
import { enumType, Node, Nullable, DateTime, ID } from '../../common/schema/fields.js';
import type { McpState as McpStateName } from './client/mcp-connection.js';
import { AtLeast, CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import { NodeFinders } from '../../companies/auth/node-finders.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { inOrderOfKeys, pageOfAll } from '../../platform/database/keyset.js';
import { MAX_SERVER_KEY_CHARACTERS } from './client/mcp-tools.js';
import {
  DEFAULT_TIMEOUT_SECONDS,
  MAX_HEADERS,
  MAX_SERVERS,
  MAX_TIMEOUT_SECONDS,
} from './mcp-server-input.js';
import { CompanyMcpServers } from './company-mcp-servers.service.js';
import type { McpAuthorization as McpAuthorizationName, McpServer } from './mcp-server.repository.js';
import { type InstalledServerState, InstalledMcpServers } from './installed-mcp-servers.service.js';

const McpAuthorization = enumType<McpAuthorizationName>(
  'McpAuthorization',
  'The company’s sign-in status at an MCP server.',
  {
    NONE: 'The server has not asked for a sign-in. It only receives its headers, if any.',
    NEEDED: 'Nobody has signed in with authorizeMcpServer, or calls need further scopes: see notes.',
    GRANTED: 'Somebody has signed in.',
    EXPIRED: 'The sign-in has expired. Somebody has to sign in again.',
  },
);

@ObjectType('McpServer', {
  implements: () => [Node],
  description: 'A Model Context Protocol server of the company. Its tools are skills.',
})
export class McpServerModel extends Node {
  @Field(() => String, { description: 'The prefix of its skills’ keys, followed by two underscores.' })
  key!: string;

  @Field(() => String, { description: 'The Streamable HTTP address.' })
  url!: string;

  @Field(() => [String], {
    description: 'The names of the headers that it is sent. Values are never shown.',
  })
  headerNames!: string[];

  @Field(() => Boolean, {
    description:
      'Whether to trust the server’s statement that a tool changes nothing or can safely be called again.',
  })
  trustAnnotations!: boolean;

  @Nullable(() => DateTime, 'When it was last asked for its tools. Null if never.')
  checkedAt!: Date | null;

  @Nullable(() => String, 'Why that request failed, at checkedAt. Null if it succeeded.')
  failure!: string | null;

  @Field(() => McpAuthorization, { description: 'Whether somebody has to sign in.' })
  authorization!: McpAuthorizationName;

  @Nullable(
    () => DateTime,
    'When somebody last signed in. Null if nobody has, or not since the last sign-out.',
  )
  grantedAt!: Date | null;
}

@ObjectType({ description: 'A page of MCP servers, ordered by key.' })
class McpServerConnection extends connectionOf(McpServerModel, 'McpServer') {}

const McpState = enumType<McpStateName>('McpState', 'The connection of one process to an MCP server.', {
  CONNECTED: 'Its tools can be called.',
  CONNECTING: 'The connection is being made.',
  FAILED: 'It cannot be reached, and is retried.',
  CLOSED: 'It has not been needed yet.',
});

@ObjectType('InstalledMcpServer', {
  description: 'An MCP server that the operator has connected for all companies.',
})
class InstalledMcpServerModel {
  @Field(() => String, { description: 'The prefix of its skills’ keys, followed by two underscores.' })
  key!: string;

  @Field(() => McpState, { description: 'The connection of this process.' })
  state!: McpStateName;

  @Nullable(() => String, 'Why it cannot be used. Null if it can.')
  failure!: string | null;

  @Field(() => Int, { description: 'The number of its tools that are skills.' })
  tools!: number;

  @Field(() => [String], { description: 'The tools that are not used, and why.' })
  notes!: readonly string[];
}

@InputType({ description: 'A header that is sent to an MCP server.' })
class McpHeaderInput {
  @Field(() => String, { description: 'Such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'Stored encrypted and never shown again.' })
  value!: string;
}

@InputType({ description: 'An MCP server to connect.' })
class RegisterMcpServerInput {
  @Field(() => String, {
    description: `At most ${MAX_SERVER_KEY_CHARACTERS} letters and digits, with single - or _ between them. An existing server with this key is changed.`,
  })
  key!: string;

  @Field(() => String, {
    description: 'The Streamable HTTP address, on a public network. It is shown, so put secrets in headers.',
  })
  url!: string;

  @Nullable(
    () => [McpHeaderInput],
    `All headers that it needs, at most ${MAX_HEADERS}. They replace the previous headers.`,
  )
  headers?: McpHeaderInput[] | null;

  @Nullable(
    () => Int,
    `The seconds one tool call may take: 1 to ${MAX_TIMEOUT_SECONDS}. Default: ${DEFAULT_TIMEOUT_SECONDS}.`,
  )
  timeoutSeconds?: number | null;

  @Nullable(
    () => Boolean,
    'Whether to trust the server’s statement that a tool changes nothing, so that calls need no approval, or that it can safely be called again, as after a crash. Default: false.',
  )
  trustAnnotations?: boolean | null;
}

const serverKey = { description: 'The key of the server.' };

@Resolver(() => McpServerModel)
export class McpServerResolver {
  constructor(
    private readonly servers: CompanyMcpServers,
    private readonly installed: InstalledMcpServers,
    nodes: NodeFinders,
  ) {
    nodes.register('McpServer', (viewer, id) => servers.find(viewer, id));
  }

  @AtLeast('ADMIN')
  @Query(() => McpServerConnection, {
    description: 'The MCP servers that the company has connected, ordered by key. Admins only.',
  })
  async mcpServersConnection(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<McpServer>> {
    return toConnection(pageOfAll(await this.servers.list(viewer), inOrderOfKeys('mcp-servers'), page));
  }

  @AtLeast('ADMIN')
  @Query(() => [McpServerModel], {
    deprecationReason: 'Use mcpServersConnection.',
    description: `The MCP servers that the company has connected, ordered by key: at most ${MAX_SERVERS}. Admins only.`,
  })
  mcpServers(@CurrentViewer() viewer: Viewer): Promise<McpServer[]> {
    return this.servers.list(viewer);
  }

  @AtLeast('ADMIN')
  @Query(() => [InstalledMcpServerModel], {
    description:
      'The MCP servers of the whole installation, and their connection to this process. Admins only.',
  })
  installedMcpServers(): InstalledServerState[] {
    return this.installed.servers();
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description:
      'Connects an MCP server. Its tools become skills. If it cannot be reached, it is retried. Admins only. Audited.',
  })
  registerMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The address and headers.' }) input: RegisterMcpServerInput,
  ): Promise<McpServer> {
    return this.servers.register(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description: 'Asks an MCP server for its tools again, now. Admins only. Audited.',
  })
  refreshMcpServer(@CurrentViewer() viewer: Viewer, @Args('key', serverKey) key: string): Promise<McpServer> {
    return this.servers.refresh(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description: 'Disconnects an MCP server, deletes its skills and returns its id. Admins only. Audited.',
  })
  deleteMcpServer(@CurrentViewer() viewer: Viewer, @Args('key', serverKey) key: string): Promise<string> {
    return this.servers.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    deprecationReason: 'Use deleteMcpServer.',
    description: 'The same as deleteMcpServer.',
  })
  removeMcpServer(@CurrentViewer() viewer: Viewer, @Args('key', serverKey) key: string): Promise<string> {
    return this.servers.remove(viewer, key);
  }

  @ResolveField(() => [String], {
    description: 'The tools that are not used, and why, and the scopes that the sign-in lacks.',
  })
  notes(@Parent() server: McpServer): string[] {
    return this.servers.notes(server);
  }

  @ResolveField(() => Int, { description: 'The seconds one tool call may take.' })
  timeoutSeconds(@Parent() { timeoutMs }: McpServer): number {
    return timeoutMs / 1_000;
  }
}
