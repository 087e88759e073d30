import { HeaderMap } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type DocumentNode, Kind, parse } from 'graphql';
import { z } from 'zod';

import { type GraphQLContext, Loaders, requireViewer } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Introspection } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { httpStatusOf } from '../../companies/files/http-error.js';
import type { SignIn } from '../sign-in.service.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    asked?: { viewer: Viewer | null; operation?: string };
    /** The thread time for reading the body, before the viewer was known. */
    readingMs?: number;
    /** Reading the body was charged to its company's share of the thread. */
    isReadInTurn?: boolean;
    /** The company that sends the body, if it may be a large one. */
    bodyOf?: string;
  }
}

/** Makes the context of an operation over HTTP. Rejects with a GraphQLError. */
export function httpContext(signIn: SignIn, limits: UsageLimits, shownTo: Introspection) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<GraphQLContext> => {
    try {
      const viewer = await signIn.viewerOf(request.headers.authorization, request.ip, request.headers);
      request.asked = { viewer };
      const setCookie = (cookie: string): void => void reply.header('set-cookie', cookie);
      const context = { viewer, loaders: new Loaders(viewer), setCookie };
      if (viewer) {
        await limits.countOperation(viewer);
        requirePresence(request);
        limits.addReadingTime(viewer, request);
      } else {
        await limits.countAnonymousOperation(request.ip);
        // Before anything is validated, and whatever the variables are.
        const shown = shownTo === 'on' ? SCHEMA_FIELDS : NO_SCHEMA;
        if (!asksOnlyFor(shown, request.body, request.query)) requireViewer(viewer);
      }
      return context;
    } catch (error) {
      throw httpRefusal(error);
    }
  };
}

/** Throws UNAVAILABLE when the client disconnected while its operation waited for its turn. */
export function requirePresence({ raw }: FastifyRequest): void {
  if (raw.socket.destroyed) throw clientGone();
}

export function clientGone(): DomainError {
  return new DomainError('UNAVAILABLE', 'The client has left.');
}

/** An error with HTTP status and headers: Apollo would replace any other error of the context by one of its own. */
export function httpRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { code, message, extensions } = error;
  const headers = new HeaderMap();
  if (extensions.retryAfter !== undefined) headers.set('retry-after', String(extensions.retryAfter));
  return new GraphQLError(message, {
    originalError: error,
    extensions: { code, http: { status: httpStatusOf(error), headers } },
  });
}

/** Enough for the introspection queries of tools, and cheap to check. */
const MAX_ANONYMOUS_TOKENS = 1_000;

/** What anonymous clients may see, with and without the schema. */
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '__typename']);
export const NO_SCHEMA: ReadonlySet<string> = new Set(['__typename']);

const Asked = z.object({
  query: z.string().optional(),
  documentId: z.unknown().optional(),
  extensions: z.unknown().optional(),
});

/** Whether a request asks for no other fields. It is checked before validation, which takes thread time. */
export function asksOnlyFor(fields: ReadonlySet<string>, body: unknown, address: unknown): boolean {
  return [body, address].every((part) => {
    if (part === undefined || part === null) return true;
    const asked = Asked.safeParse(part).data;
    if (asked === undefined) return false;
    // A hash stands for another client's query.
    if (asked.query !== undefined) return hasOnly(fields, asked.query);
    return asked.extensions === undefined && asked.documentId === undefined;
  });
}

function hasOnly(fields: ReadonlySet<string>, query: string): boolean {
  const document = parsed(query);
  if (document === null) return false;
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return operations.every(({ selectionSet }) =>
    selectionSet.selections.every((field) => field.kind === Kind.FIELD && fields.has(field.name.value)),
  );
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query, { maxTokens: MAX_ANONYMOUS_TOKENS, noLocation: true });
  } catch {
    return null;
  }
}
