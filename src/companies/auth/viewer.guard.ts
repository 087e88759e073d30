import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { GqlExecutionContext, type GqlContextType } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';

import { DomainError } from '../../common/errors/domain-error.js';
import type { GraphQLContext } from './graphql-context.js';
import { roles } from './viewer.js';
import { AtLeast } from './viewer-decorators.js';

/** Checks every query, mutation and subscription. */
@Injectable()
export class ViewerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType<GqlContextType>() !== 'graphql') return true;
    const graphql = GqlExecutionContext.create(context);
    const { operation } = graphql.getInfo<GraphQLResolveInfo>();
    const { loaders } = graphql.getContext<GraphQLContext>();
    const { viewer } = loaders;
    // The fields of a mutation run one after the other, and each must see what those before it changed.
    if (operation.operation === 'mutation') loaders.forget();
    const needed = this.reflector.get(AtLeast, context.getHandler()) ?? 'MEMBER';
    if (roles.indexOf(viewer.role) < roles.indexOf(needed))
      throw new DomainError('FORBIDDEN', `This needs the role ${needed}; yours is ${viewer.role}.`);
    return true;
  }
}
