import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodesModule } from '../auth/nodes.module.js';
import { ViewerGuard } from '../auth/viewer.guard.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { MemoryContextModule } from '../memory-context/memory-context.module.js';
import { MemoryModule } from '../memory/memory.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { turnEventModels } from '../turns/turn-event.model.js';
import { ApprovalModel } from '../turns/approvals/approval.model.js';
import { TurnsModule } from '../turns/turns.module.js';
import { costLimit, noSubscriptions, operationName, removedAsNull } from './apollo-plugins.js';
import { ClientErrors } from './client-errors.service.js';
import { FailedSignIns } from './limits/failed-sign-ins.service.js';
import { GRAPHQL_PATH, GraphQLSocket } from './streams/graphql-socket.service.js';
import { GraphQLSse } from './streams/graphql-sse.service.js';
import { HttpErrorFilter } from './http/http-error.filter.js';
import { httpContext } from './http/http-context.js';
import { importsOnly } from './http/import-bodies.js';
import { NodeResolver } from './node.resolver.js';
import { operationRules, MAX_TOKENS } from './limits/operation-limits.js';
import { Operations } from './operations.service.js';
import { describeRoots } from './root-descriptions.js';
import { SessionEnds } from './streams/session-ends.service.js';
import { SignIn } from './sign-in.service.js';
import { UsageLimits } from './limits/usage-limits.service.js';

@Module({
  imports: [CompaniesModule],
  providers: [ClientErrors, FailedSignIns, SignIn, UsageLimits],
  exports: [ClientErrors, SignIn, UsageLimits],
})
class SignInModule {}

const apollo = GraphQLModule.forRootAsync<ApolloDriverConfig>({
  driver: ApolloDriver,
  imports: [SignInModule],
  inject: [SignIn, UsageLimits, ClientErrors],
  useFactory: (signIn: SignIn, limits: UsageLimits, errors: ClientErrors): ApolloDriverConfig => ({
    path: GRAPHQL_PATH,
    autoSchemaFile: true,
    sortSchema: true,
    buildSchemaOptions: { orphanedTypes: [...turnEventModels, ApprovalModel] },
    transformSchema: describeRoots,
    graphiql: false,
    introspection: true,
    context: httpContext(signIn, limits),
    validationRules: operationRules,
    parseOptions: { maxTokens: MAX_TOKENS },
    // A browser asks before it sends any of these to another site, and urql sends its queries by GET.
    csrfPrevention: {
      requestHeaders: ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'],
    },
    plugins: [operationName, noSubscriptions, importsOnly, costLimit, removedAsNull],
    formatError: (_formatted, error) => errors.of(error),
    autoTransformHttpErrors: false,
    includeStacktraceInErrorResponses: false,
    // Apollo waits for every connection to end, and must not do so before the sockets have been closed.
    stopOnApplicationShutdown: true,
  }),
});

@Module({
  imports: [
    apollo,
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    MemoryContextModule,
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
    NodeResolver,
    Operations,
    SessionEnds,
    { provide: APP_FILTER, useClass: HttpErrorFilter },
    { provide: APP_GUARD, useClass: ViewerGuard },
  ],
})
export class ApiModule {}
