import { HeaderMap } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, type DocumentNode, Kind, parse } from 'graphql';
import { z } from 'zod';

import { requireViewer } from '../../companies/auth/current-viewer.decorator.js';
import { type GraphQLContext, Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import type { SignIn } from '../sign-in.service.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asked what, for the line that the request leaves in the log. */
    asked?: { viewer: Viewer | null; operation?: string };
    /** How long its body kept the thread busy before anybody knew whose it was. */
    readingMs?: number;
  }
}

const HTTP_STATUS: Partial<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** Of a request that is refused as a whole. */
export function statusOf({ code }: DomainError): number {
  return HTTP_STATUS[code] ?? 500;
}

/** The context of an operation over HTTP. Rejects with a GraphQLError when there is not to be one. */
export function httpContext(signIn: SignIn, limits: UsageLimits) {
  return async (request: FastifyRequest): Promise<GraphQLContext> => {
    try {
      const viewer = await signIn.viewerOf(request.headers.authorization, request.ip);
      request.asked = { viewer };
      const context = { viewer, loaders: new Loaders() };
      if (viewer) {
        await limits.countOperation(viewer);
        requirePresence(request);
        limits.addThreadTime(viewer, request.readingMs ?? 0);
      } else {
        await limits.countAnonymousOperation(request.ip);
        // Before anything of it is validated, and whatever its variables hold.
        if (!asksForSchemaOnly(request.body, request.query)) requireViewer(context);
      }
      return context;
    } catch (error) {
      throw httpRefusal(error);
    }
  };
}

/** Throws for a client that has left while its operation waited for its turn: nobody is left to be answered. */
export function requirePresence({ raw }: FastifyRequest): void {
  if (raw.socket.destroyed) throw clientGone();
}

export function clientGone(): DomainError {
  return new DomainError('UNAVAILABLE', 'The client has left.');
}

/**
 * What refuses a whole request, with its status and headers. Apollo shows a failure to make the context as one of
 * its own unless it is a GraphQLError; what is no DomainError stays as it is.
 */
export function httpRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { code, message, extensions } = error;
  const headers = new HeaderMap();
  if (extensions.retryAfter !== undefined) headers.set('retry-after', String(extensions.retryAfter));
  return new GraphQLError(message, {
    originalError: error,
    extensions: { code, http: { status: statusOf(error), headers } },
  });
}

/** More than tools write who ask for the whole schema, and little to check. */
const MAX_ANONYMOUS_TOKENS = 1_000;

const SCHEMA_FIELDS = new Set(['__schema', '__type', '__typename']);

const Asked = z.object({ query: z.string().optional(), extensions: z.unknown().optional() });

/**
 * Whether a request, by its body or its address, asks for the schema and nothing else, which is all that somebody who has
 * not signed in is shown. To be asked before anything is validated: that takes time which others would wait for. True as
 * well of what asks for nothing.
 */
export function asksForSchemaOnly(body: unknown, address: unknown): boolean {
  return [body, address].every((part) => {
    if (part === undefined || part === null) return true;
    const asked = Asked.safeParse(part).data;
    if (asked === undefined) return false;
    // What stands behind a hash was asked by somebody else.
    return asked.query === undefined ? asked.extensions === undefined : isAboutSchema(asked.query);
  });
}

function isAboutSchema(query: string): boolean {
  const document = parsed(query);
  if (document === null) return false;
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return operations.every(({ selectionSet }) =>
    selectionSet.selections.every(
      (field) => field.kind === Kind.FIELD && SCHEMA_FIELDS.has(field.name.value),
    ),
  );
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query, { maxTokens: MAX_ANONYMOUS_TOKENS, noLocation: true });
  } catch {
    return null;
  }
}
