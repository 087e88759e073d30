import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';

import { DomainError } from '../../common/errors/domain-error.js';
import type { GraphQLContext, Loaders } from './graphql-context.js';
import type { Viewer } from './viewer.js';

function contextOf(context: ExecutionContext): GraphQLContext {
  return GqlExecutionContext.create(context).getContext<GraphQLContext>();
}

/** Throws UNAUTHENTICATED when nobody is signed in. */
export function requireViewer(context: GraphQLContext): Viewer {
  if (!context.viewer)
    throw new DomainError('UNAUTHENTICATED', 'Sign in first: send a token as Authorization: Bearer.');
  return context.viewer;
}

/** The signed-in viewer, as a resolver's parameter. */
export const CurrentViewer = createParamDecorator((_: unknown, context: ExecutionContext): Viewer =>
  requireViewer(contextOf(context)),
);

/** The operation's loaders, as a resolver's parameter. */
export const OperationLoaders = createParamDecorator(
  (_: unknown, context: ExecutionContext): Loaders => contextOf(context).loaders,
);
