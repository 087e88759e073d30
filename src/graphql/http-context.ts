import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';

import { type GraphQLContext, Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../common/domain-error.js';
import type { SignIn } from './sign-in.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asked what, for the line that the request leaves in the log. */
    asked?: { viewer: Viewer | null; operation?: string };
  }
}

const HTTP_STATUS = { UNAUTHENTICATED: 401, UNAVAILABLE: 503 } as const;

/** The context of an operation over HTTP. */
export const httpContext =
  (signIn: SignIn) =>
  async (request: FastifyRequest): Promise<GraphQLContext> => {
    const viewer = await signIn.viewerOf(request.headers.authorization).catch(refuse);
    request.asked = { viewer };
    return { viewer, loaders: new Loaders() };
  };

/** Apollo shows a failure to make the context as one of its own unless it is a GraphQLError. */
const refuse = (error: unknown): never => {
  if (!(error instanceof DomainError)) throw error;
  const status = error.code === 'UNAUTHENTICATED' ? HTTP_STATUS.UNAUTHENTICATED : HTTP_STATUS.UNAVAILABLE;
  throw new GraphQLError(error.message, {
    originalError: error,
    extensions: { code: error.code, http: { status } },
  });
};
