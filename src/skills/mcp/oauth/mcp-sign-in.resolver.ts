import { Args, Context, Field, InputType, Mutation, ObjectType, Resolver } from '@nestjs/graphql';

import { badInput } from '../../../common/errors/domain-error.js';
import { enumType, Nullable } from '../../../common/schema/fields.js';
import type { GraphQLContext } from '../../../companies/auth/graphql-context.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { AtLeast, CurrentViewer } from '../../../companies/auth/viewer-decorators.js';
import { CompanyMcpServers } from '../company-mcp-servers.service.js';
import type { McpServer } from '../mcp-server.repository.js';
import { McpServerModel } from '../mcp-server.resolver.js';
import { type McpGrantName, type McpSignIn, McpSignIns } from './mcp-sign-ins.service.js';
import { SignInCookies } from './sign-in-cookies.js';

const McpGrant = enumType<McpGrantName>('McpGrant', 'Who signs in at an MCP server.', {
  AUTHORIZATION_CODE: 'A person, at the returned address.',
  CLIENT_CREDENTIALS: 'The installation itself, with a client id and secret from the server.',
});

@InputType({ description: 'The MCP server to sign in to, and the client to use.' })
class AuthorizeMcpServerInput {
  @Field(() => String, { description: 'The key of the server.' })
  key!: string;

  @Nullable(
    () => String,
    'A client registered at the authorization server. If omitted, the previous client, or a new one.',
  )
  clientId?: string | null;

  @Nullable(() => String, 'Its secret, if it has one. Stored encrypted and never shown again.')
  clientSecret?: string | null;

  @Nullable(
    () => String,
    'The issuer of the authorization server where the client is registered. No other server is sent the secret. If omitted, the issuer that the server names on first use.',
  )
  issuer?: string | null;

  @Nullable(() => McpGrant, 'Who signs in. Default: a person.')
  grant?: McpGrantName | null;
}

@ObjectType('McpSignIn', { description: 'A sign-in to an MCP server, started or completed.' })
class McpSignInModel {
  @Field(() => McpServerModel, { description: 'The server.' })
  server!: McpServer;

  @Nullable(
    () => String,
    'The address to open within ten minutes, in the browser that made the request. Null if nobody has to.',
  )
  url!: string | null;
}

@Resolver()
export class McpSignInResolver {
  constructor(
    private readonly signIns: McpSignIns,
    private readonly servers: CompanyMcpServers,
    private readonly cookies: SignInCookies,
  ) {}

  @AtLeast('ADMIN')
  @Mutation(() => McpSignInModel, {
    description:
      'Signs the company in to an MCP server by OAuth 2.1. Only over HTTP, because a cookie binds the address to the requesting browser. Admins only. Audited on completion.',
  })
  authorizeMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The server, and the client.' }) input: AuthorizeMcpServerInput,
    @Context() { setCookie }: GraphQLContext,
  ): Promise<McpSignIn> {
    if (!setCookie) throw badInput(['input'], 'Ask for this over HTTP: it needs a cookie.');
    return this.signIns.begin(viewer, input, (kept) => setCookie(this.cookies.write(kept)));
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description:
      'Forgets the tokens of an MCP server, and asks the authorization server to revoke them. Admins only. Audited.',
  })
  deauthorizeMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of the server.' }) key: string,
  ): Promise<McpServer> {
    return this.servers.signOut(viewer, key);
  }
}
