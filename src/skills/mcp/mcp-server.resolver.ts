import { Args, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import { NodeFinders } from '../../auth/node-finders.js';
import type { Viewer } from '../../auth/viewer.js';
import { AtLeast } from '../../auth/viewer.guard.js';
import { ID } from '../../common/schema/scalars.js';
import { CompanyMcpServers } from './companies/company-mcp-servers.service.js';
import type { McpServer } from './mcp-server.entity.js';
import { type InstalledServerState, InstalledMcpServers } from './installed/installed-mcp-servers.service.js';
import { InstalledMcpServerModel, McpServerModel, RegisterMcpServerInput } from './mcp-server.model.js';

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
  @Query(() => [McpServerModel], {
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
  refreshMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The server’s key.' }) key: string,
  ): Promise<McpServer> {
    return this.servers.refresh(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description: 'Disconnects an MCP server and removes its skills; gives its id. For admins; audited.',
  })
  removeMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The server’s key.' }) key: string,
  ): Promise<string> {
    return this.servers.remove(viewer, key);
  }

  @ResolveField(() => Int, { description: 'How long one call of a tool may take.' })
  timeoutSeconds(@Parent() { timeoutMs }: McpServer): number {
    return timeoutMs / 1_000;
  }
}
