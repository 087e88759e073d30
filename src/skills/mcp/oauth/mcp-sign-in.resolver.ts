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

export const McpGrant = enumType<McpGrantName>('McpGrant', 'Who signs in at an MCP server.', {
  AUTHORIZATION_CODE: 'A person, at the address that is given.',
  CLIENT_CREDENTIALS: 'The installation itself, by an id and a secret of the server’s.',
});

@InputType({ description: 'At which MCP server to sign in, and as which client.' })
class AuthorizeMcpServerInput {
  @Field(() => String, { description: 'The server’s key.' })
  key!: string;

  @Nullable(
    () => String,
    'A client that is registered at the authorization server; left out: the one from before, or a new one.',
  )
  clientId?: string | null;

  @Nullable(() => String, 'Its secret, if it has one. Stored encrypted and never shown again.')
  clientSecret?: string | null;

  @Nullable(
    () => String,
    'The issuer of the authorization server that the client is registered at: no other one is shown the secret. Left out: the one that the server names when it is first used.',
  )
  issuer?: string | null;

  @Nullable(() => McpGrant, 'Who signs in; a person, when left out.')
  grant?: McpGrantName | null;
}

@ObjectType('McpSignIn', { description: 'A sign-in at an MCP server that has begun, or is done.' })
class McpSignInModel {
  @Field(() => McpServerModel, { description: 'The server.' })
  server!: McpServer;

  @Nullable(
    () => String,
    'To be opened in the browser that has asked, within ten minutes; null: nobody has to.',
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
      'Signs the company in at an MCP server by OAuth 2.1, over HTTP alone: a cookie binds the address to the browser that asks. For admins; audited once it is done.',
  })
  authorizeMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Where, and as whom.' }) input: AuthorizeMcpServerInput,
    @Context() { setCookie }: GraphQLContext,
  ): Promise<McpSignIn> {
    if (!setCookie) throw badInput(['input'], 'Ask for this over HTTP: it needs a cookie.');
    return this.signIns.begin(viewer, input, (kept) => setCookie(this.cookies.write(kept)));
  }

  @AtLeast('ADMIN')
  @Mutation(() => McpServerModel, {
    description:
      'Forgets the tokens of an MCP server, and has the authorization server revoke them. For admins; audited.',
  })
  deauthorizeMcpServer(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The server’s key.' }) key: string,
  ): Promise<McpServer> {
    return this.servers.signOut(viewer, key);
  }
}
