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
import { CompanyMcpServers } from './company-mcp-servers.service.js';
import type { McpAuthorization as McpAuthorizationName, McpServer } from './mcp-server.repository.js';
import { type InstalledServerState, InstalledMcpServers } from './installed-mcp-servers.service.js';

export const McpAuthorization = enumType<McpAuthorizationName>(
  'McpAuthorization',
  'How the company stands with an MCP server that lets in who signs in.',
  {
    NONE: 'It has not asked for that: its headers, if any, are all that it is sent.',
    NEEDED: 'Nobody has signed in (authorizeMcpServer), or not for all scopes that calls want: see notes.',
    GRANTED: 'Somebody has signed in.',
    EXPIRED: 'The sign-in is over, and somebody has to sign in again.',
  },
);

@ObjectType('McpServer', {
  implements: () => [Node],
  description: 'A Model Context Protocol server of the company’s: its tools are skills.',
})
export class McpServerModel extends Node {
  @Field(() => String, { description: 'What the keys of its skills begin with, before two underscores.' })
  key!: string;

  @Field(() => String, { description: 'Its Streamable HTTP address.' })
  url!: string;

  @Field(() => [String], {
    description: 'The names of the headers that it is sent; their values are never shown.',
  })
  headerNames!: string[];

  @Field(() => Boolean, {
    description:
      'Whether it is believed when it says that a tool changes nothing, or may be called again without harm.',
  })
  trustAnnotations!: boolean;

  @Nullable(() => DateTime, 'When it was last asked for its tools; null: never.')
  checkedAt!: Date | null;

  @Nullable(() => String, 'Why it could not be asked, at checkedAt; null when it could.')
  failure!: string | null;

  @Field(() => McpAuthorization, { description: 'Whether somebody has to sign in at it.' })
  authorization!: McpAuthorizationName;
}

@ObjectType({ description: 'A page of MCP servers, by key.' })
class McpServerConnection extends connectionOf(McpServerModel, 'McpServer') {}

export const McpState = enumType<McpStateName>('McpState', 'How a process stands with an MCP server.', {
  CONNECTED: 'Its tools can be called.',
  CONNECTING: 'It is being asked.',
  FAILED: 'It cannot be reached, and is tried again.',
  CLOSED: 'Nobody has needed it.',
});

@ObjectType('InstalledMcpServer', {
  description: 'An MCP server that the operator has connected for all companies.',
})
class InstalledMcpServerModel {
  @Field(() => String, { description: 'What the keys of its skills begin with, before two underscores.' })
  key!: string;

  @Field(() => McpState, { description: 'How this process stands with it.' })
  state!: McpStateName;

  @Nullable(() => String, 'Why it cannot be used; null when it can.')
  failure!: string | null;

  @Field(() => Int, { description: 'How many of its tools are skills.' })
  tools!: number;

  @Field(() => [String], {
    description: 'Which of its tools are not used, and why, and which scopes the sign-in lacks.',
  })
  notes!: readonly string[];
}

@InputType({ description: 'A header that an MCP server is sent.' })
class McpHeaderInput {
  @Field(() => String, { description: 'Such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'Stored encrypted and never shown again.' })
  value!: string;
}

@InputType({ description: 'An MCP server to be connected.' })
class RegisterMcpServerInput {
  @Field(() => String, {
    description:
      'At most 30 letters and digits, with single - or _ between them. A server of this key is changed.',
  })
  key!: string;

  @Field(() => String, {
    description: 'Its Streamable HTTP address, on a public network. It is shown: secrets belong in headers.',
  })
  url!: string;

  @Nullable(
    () => [McpHeaderInput],
    'All the headers that it needs, at most 20; those from before are forgotten.',
  )
  headers?: McpHeaderInput[] | null;

  @Nullable(() => Int, 'How long one call of a tool may take, from 1 to 600; 60 when left out.')
  timeoutSeconds?: number | null;

  @Nullable(
    () => Boolean,
    'Whether to believe it when it says that a tool changes nothing, so that nobody is asked before a call, or that it may be called again without harm, as after a crash; false when left out.',
  )
  trustAnnotations?: boolean | null;
}

const serverKey = { description: 'The server’s key.' };

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
    description: 'The MCP servers that the company has connected, by key. For admins.',
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
    description: 'The MCP servers that the company has connected, by key; at most 50. For admins.',
  })
  mcpServers(@CurrentViewer() viewer: Viewer): Promise<McpServer[]> {
    return this.servers.list(viewer);
  }

  @AtLeast('ADMIN')
  @Query(() => [InstalledMcpServerModel], {
    description: 'The MCP servers of the whole installation, and how they stand in this process. For admins.',
  })
  installedMcpServers(): InstalledServerState[] {
    return this.installed.servers();
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description:
      'Connects an MCP server: its tools become skills. One that cannot be reached is asked again. For admins; audited.',
  })
  registerMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Where it is, and what it is sent.' }) input: RegisterMcpServerInput,
  ): Promise<McpServer> {
    return this.servers.register(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description: 'Asks an MCP server for its tools again, now. For admins; audited.',
  })
  refreshMcpServer(@CurrentViewer() viewer: Viewer, @Args('key', serverKey) key: string): Promise<McpServer> {
    return this.servers.refresh(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description: 'Disconnects an MCP server and deletes its skills; gives its id. For admins; audited.',
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

  @ResolveField(() => [String], { description: 'Which of its tools are not used, and why.' })
  notes(@Parent() server: McpServer): string[] {
    return this.servers.notes(server);
  }

  @ResolveField(() => Int, { description: 'How long one call of a tool may take.' })
  timeoutSeconds(@Parent() { timeoutMs }: McpServer): number {
    return timeoutMs / 1_000;
  }
}
