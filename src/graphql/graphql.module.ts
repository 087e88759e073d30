import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import { resetCaches } from 'graphql-tag';

import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { Config } from '../common/config/config.js';
import { NodeFinders } from '../companies/auth/node-finders.js';
import { NodesModule } from '../companies/auth/nodes.module.js';
import { ViewerGuard } from '../companies/auth/viewer.guard.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { NotificationsModule } from '../companies/notifications/notifications.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { turnEventModels } from '../conversations/turns/turn-event.model.js';
import { pendingInputModels } from '../conversations/turns/inputs/pending-input.model.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import {
  costLimit,
  errorsAsShown,
  noSubscriptions,
  operationName,
  writeAnswer,
  wrongRequestsAsAnswers,
} from './apollo-plugins.js';
import { withFederation } from './federation.js';
import { ClientErrors } from './client-errors.service.js';
import { PublicUrl } from '../companies/files/signed-links.js';
import { BrowserSignIn } from './sessions/browser-sign-in.service.js';
import { IdentityProvider } from './sessions/identity-provider.service.js';
import { McpSignInRoutes } from './sessions/mcp-sign-in-routes.service.js';
import { SessionCookies } from './sessions/session-cookies.service.js';
import { FailedSignIns, SignIn } from './sign-in.service.js';
import { GRAPHQL_PATH, GraphQLSocket } from './streams/graphql-socket.service.js';
import { GraphQLSse } from './streams/graphql-sse.service.js';
import { HttpErrorFilter } from './http/http-error.filter.js';
import { httpContext } from './http/http-context.js';
import { importsOnly } from './http/request-bodies.js';
import { NodeResolver } from './node.resolver.js';
import { MAX_MISTAKES, MAX_TOKENS, operationRules } from './limits/operation-limits.js';
import { watchFields } from './limits/watched-fields.js';
import { requireScopes, ScopeGuard } from './operation-scopes.js';
import { Operations } from './operations.service.js';
import { SessionEnds } from './streams/session-ends.service.js';
import { SocketProtocol } from './streams/socket-protocol.service.js';
import { TrustedDocuments } from './trusted-documents.service.js';
import { UsageLimits } from './limits/usage-limits.service.js';

@Module({
  imports: [CompaniesModule],
  providers: [
    BrowserSignIn,
    ClientErrors,
    FailedSignIns,
    IdentityProvider,
    PublicUrl,
    SessionCookies,
    SignIn,
    UsageLimits,
  ],
  exports: [ClientErrors, SignIn, UsageLimits],
})
class SignInModule {}

const apollo = GraphQLModule.forRootAsync<ApolloDriverConfig>({
  driver: ApolloDriver,
  imports: [NodesModule, SignInModule],
  inject: [SignIn, UsageLimits, ClientErrors, NodeFinders, Config],
  useFactory: (
    signIn: SignIn,
    limits: UsageLimits,
    errors: ClientErrors,
    nodes: NodeFinders,
    { http }: Config,
  ): ApolloDriverConfig => ({
    path: GRAPHQL_PATH,
    autoSchemaFile: true,
    sortSchema: true,
    buildSchemaOptions: {
      orphanedTypes: [...turnEventModels, ...pendingInputModels],
      // `schema:check` has validated the schema before the commit, so a start need not.
      skipCheck: true,
    },
    transformSchema: (generated) => {
      // Nest has parsed the whole schema, and the parser caches its input for ever: 4 MB.
      resetCaches();
      const schema = requireScopes(describeRoots(generated));
      const served = http.isSubgraph ? withFederation(schema, nodes, http.introspection) : schema;
      return watchFields(served, (viewer, ms) => limits.addThreadTime(viewer, ms));
    },
    // Apollo would register any text sent with a hash, for everybody.
    persistedQueries: false,
    graphiql: false,
    // `costLimit` refuses it where the schema is hidden.
    introspection: true,
    context: httpContext(signIn, limits, http.introspection),
    validationRules: operationRules,
    validationOptions: { maxErrors: MAX_MISTAKES },
    parseOptions: { maxTokens: MAX_TOKENS },
    // Browsers send a preflight request before any of these. urql sends queries by GET.
    csrfPrevention: {
      requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'],
    },
    plugins: [
      // Without this, a router would get traces of members' operations.
      ApolloServerPluginInlineTraceDisabled(),
      operationName,
      noSubscriptions,
      importsOnly,
      costLimit(limits, http.introspection),
      errorsAsShown,
      wrongRequestsAsAnswers,
    ],
    stringifyResult: writeAnswer,
    formatError: (_formatted, error) => errors.of(error),
    autoTransformHttpErrors: false,
    includeStacktraceInErrorResponses: false,
    // Apollo waits for all connections to end, which must come after the sockets are closed.
    stopOnApplicationShutdown: true,
  }),
});

@Module({
  imports: [
    apollo,
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    MemoryModule,
    NodesModule,
    NotificationsModule,
    SignInModule,
    SkillsModule,
    TurnsModule,
  ],
  providers: [
    GraphQLSocket,
    GraphQLSse,
    McpSignInRoutes,
    NodeResolver,
    Operations,
    SessionEnds,
    SocketProtocol,
    TrustedDocuments,
    { provide: APP_FILTER, useClass: HttpErrorFilter },
    { provide: APP_GUARD, useClass: ViewerGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
  ],
  exports: [GraphQLSocket, SessionEnds, SignInModule],
})
export class ApiModule {}

/** Nest generates the three root types without descriptions. */
function describeRoots(schema: GraphQLSchema): GraphQLSchema {
  const described = [
    [schema.getQueryType(), 'Reads data.'],
    [schema.getMutationType(), 'Changes data.'],
    [schema.getSubscriptionType(), 'Live updates, over a WebSocket or as server-sent events.'],
  ] as const;
  for (const [type, description] of described) if (type) type.description = description;
  return schema;
}
