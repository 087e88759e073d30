import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';

import type { GraphQLContext, Loaders } from './graphql-context.js';
import type { Role, Viewer } from './viewer.js';

/** Marks a field that needs at least this role. Without it, signing in is enough. */
export const AtLeast = Reflector.createDecorator<Role>();

function loadersOf(context: ExecutionContext): Loaders {
  return GqlExecutionContext.create(context).getContext<GraphQLContext>().loaders;
}

/** The signed-in viewer, as a resolver's parameter. Throws UNAUTHENTICATED when nobody is. */
export const CurrentViewer = createParamDecorator(
  (_: unknown, context: ExecutionContext): Viewer => loadersOf(context).viewer,
);

/** The operation's loaders, as a resolver's parameter. */
export const OperationLoaders = createParamDecorator((_: unknown, context: ExecutionContext): Loaders =>
  loadersOf(context),
);
