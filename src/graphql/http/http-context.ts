import { HeaderMap } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';

import { type GraphQLContext, Loaders } from '../../auth/graphql-context.js';
import type { Viewer } from '../../auth/viewer.js';
import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import type { SignIn } from '../sign-in.service.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asked what, for the line that the request leaves in the log. */
    asked?: { viewer: Viewer | null; operation?: string };
  }
}

const HTTP_STATUS: Partial<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** The context of an operation over HTTP. Rejects with a GraphQLError when there is not to be one. */
export const httpContext =
  (signIn: SignIn, limits: UsageLimits) =>
  async (request: FastifyRequest): Promise<GraphQLContext> => {
    try {
      const viewer = await signIn.viewerOf(request.headers.authorization, request.ip);
      request.asked = { viewer };
      await (viewer ? limits.countOperation(viewer) : limits.countAnonymousOperation(request.ip));
      return { viewer, loaders: new Loaders() };
    } catch (error) {
      throw httpRefusal(error);
    }
  };

/**
 * What refuses a whole request, with its status and headers. Apollo shows a failure to make the context as one of
 * its own unless it is a GraphQLError; what is no DomainError stays as it is.
 */
export const httpRefusal = (error: unknown): unknown => {
  if (!(error instanceof DomainError)) return error;
  const { code, message, extensions } = error;
  const headers = new HeaderMap();
  if (extensions.retryAfter !== undefined) headers.set('retry-after', String(extensions.retryAfter));
  return new GraphQLError(message, {
    originalError: error,
    extensions: { code, http: { status: HTTP_STATUS[code] ?? 500, headers } },
  });
};
