import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes, type RawServerDefault, type FastifyInstance, type FastifyRequest } from 'fastify';
import { pipeline, type Readable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import type { ApolloServerPlugin } from '@apollo/server';
import { parseInThread, Unparsable } from '@palabre/parsing';
import { isJsonObject, type JsonValue } from '@palabre/json';
import { FairSemaphore, fairThread } from '@palabre/async';

import {
  BODY_TOO_LARGE,
  MAX_ANONYMOUS_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_IMPORT_BYTES,
} from '../limits/operation-limits.js';
import { jsonFault, longJsonFault } from '../limits/json-limits.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { holdBody } from '../../companies/files/held-bodies.js';
import { PacedBytes } from '../../companies/files/paced-bytes.js';
import { badInput, DomainError } from '../../common/errors/domain-error.js';
import { onThread } from '../../common/process/thread-time.js';
import { wantsEvents } from '../streams/event-stream.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';
import type { SignIn } from '../sign-in.service.js';

const NOT_JSON = 'The body is not valid JSON.';
const UNUSABLE_KEY = 'No key in the body may be `__proto__`, nor `prototype` inside `constructor`.';

/** Imports that are parsed at the same time, each in its own thread. */
const THREADS = { all: 3, ofOne: 2 };
/** Requests of one company that wait, each with its body. */
const MAX_WAITING = 4;

const MAX_PARSE_WAIT_MS = 2_000;
const NEVER = new AbortController().signal;

const threads = new FairSemaphore(
  THREADS,
  MAX_WAITING,
  () => new DomainError('UNAVAILABLE', 'Others import at the moment: try again later.'),
);

/** Parses JSON bodies as Fastify does, and tells invalid JSON from forbidden keys, which Fastify does not. */
export function readJsonBodies(app: NestFastifyApplication): void {
  const read = app.getHttpAdapter().getInstance().getDefaultJsonParser('error', 'error');
  const options = { bodyLimit: MAX_BODY_BYTES };
  // Nest waits for the promise of a parser that takes no callback.
  app.useBodyParser<RawServerDefault>('application/json', options, (request: FastifyRequest, body: Buffer) =>
    body.length > MAX_BODY_BYTES ? parseImport(request, body) : parseInTurn(request, body, read),
  );
}

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>;

/** Parsing 1 MB can take 30 ms of the thread, so a large body waits for its company's turn. */
async function parseInTurn(request: FastifyRequest, body: Buffer, read: JsonParser): Promise<unknown> {
  const { bodyOf } = request;
  if (bodyOf === undefined || body.length <= MAX_ANONYMOUS_BODY_BYTES) return parseBody(request, body, read);
  const waiting = { signal: NEVER, maxWaitMs: MAX_PARSE_WAIT_MS };
  const parsed = fairThread.inTurn(bodyOf, body.length, () => parseBody(request, body, read), waiting);
  request.isReadInTurn = true;
  return parsed;
}

function parseBody(request: FastifyRequest, body: Buffer, read: JsonParser): Promise<unknown> {
  const startedAt = performance.now();
  const fault = jsonFault(body);
  if (fault !== null) return Promise.reject(new BadRequestException(fault));
  const text = body.toString();
  return new Promise((resolve, reject) => {
    void read(request, text, (error, value) => {
      request.readingMs = performance.now() - startedAt;
      if (!error) resolve(value);
      else if (!(error instanceof errorCodes.FST_ERR_CTP_INVALID_JSON_BODY)) reject(error);
      else reject(new BadRequestException(isJson(text) ? UNUSABLE_KEY : NOT_JSON));
    });
  });
}

/** Parses a body that is large enough for an import, without blocking other requests. */
async function parseImport(request: FastifyRequest, body: Buffer): Promise<JsonValue> {
  const value = await threads.run(request.bodyOf ?? '', async () => {
    const startedAt = performance.now();
    const fault = await longJsonFault(body);
    if (fault !== null) throw new BadRequestException(fault);
    try {
      return await parseInThread({ text: body, format: 'json' }, { onThread });
    } catch (error) {
      throw error instanceof Unparsable ? new BadRequestException(`${NOT_JSON} ${error.message}`) : error;
    } finally {
      // The other thread's time counts too: both share the machine's processors.
      request.readingMs = performance.now() - startedAt;
    }
  });
  // In an import the variables are large. Lexing a query of this size would block the thread.
  const query = isJsonObject(value) ? value.query : null;
  if (typeof query === 'string' && query.length > MAX_BODY_BYTES) throw tooLarge();
  return value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A body is read before GraphQL knows the operation. `importsOnly` then refuses large ones for other operations. */
export function limitBodies(
  fastify: FastifyInstance,
  { path, streamPath }: { path: string; streamPath: string },
  signIn: SignIn,
  limits: UsageLimits,
): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === path) route.bodyLimit = MAX_IMPORT_BYTES;
  });
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    const { url } = request.routeOptions;
    const [size, hasNoSize] = [sizeOf(request), request.headers['transfer-encoding'] !== undefined];
    if ((url !== path && url !== streamPath) || (size <= MAX_ANONYMOUS_BODY_BYTES && !hasNoSize))
      return payload;
    const viewer = await viewerOf(signIn, request).catch((error: unknown) => {
      // With or without a valid token the body would be too large, unless it is an import.
      throw size > MAX_BODY_BYTES && error instanceof DomainError && error.code === 'UNAUTHENTICATED'
        ? tooLarge()
        : error;
    });
    if (viewer) request.bodyOf = viewer.companyId;
    if (hasNoSize) return paced(payload, viewer, viewer ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES);
    if (!viewer) throw size > MAX_BODY_BYTES ? tooLarge() : needsToken();
    if (size > MAX_BODY_BYTES && (url !== path || wantsEvents(request.headers.accept))) throw tooLarge();
    // Reading takes thread time, which is counted afterwards.
    await limits.checkThreadTime(viewer);
    return holdLargeBody(request, payload, viewer);
  });
}

/** Waits for a place if the body may be as large as an import. Resolves with the stream to read. */
export async function holdLargeBody(
  request: FastifyRequest,
  payload: Readable,
  viewer: Viewer,
): Promise<Readable> {
  const { companyId } = viewer;
  request.bodyOf = companyId;
  const [size, hasNoSize] = [sizeOf(request), request.headers['transfer-encoding'] !== undefined];
  if (size <= MAX_ANONYMOUS_BODY_BYTES && !hasNoSize) return payload;
  // Anything else is refused unread, and left to Node, which drops it.
  const isJson = /json/i.test(request.headers['content-type'] ?? '');
  if (size <= MAX_BODY_BYTES && !hasNoSize) return isJson ? paced(payload, viewer, MAX_BODY_BYTES) : payload;
  const leaving = new AbortController();
  request.raw.once('close', () => leaving.abort());
  const letGo = await holdBody(companyId, leaving.signal).catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  // Without a place, the client has left.
  if (letGo) {
    // When the body is complete, or broken off.
    if (request.raw.destroyed) letGo();
    else request.raw.once('close', letGo);
  }
  return isJson ? paced(payload, viewer, MAX_IMPORT_BYTES) : payload;
}

function viewerOf(signIn: SignIn, { headers, ip }: FastifyRequest): Promise<Viewer | null> {
  return signIn.viewerOf(headers.authorization, ip, headers);
}

function needsToken(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    `Send a token or an API key as Authorization: Bearer …: without one, a request has at most ${MAX_ANONYMOUS_BODY_BYTES} bytes.`,
  );
}

/** Refuses a body as large as an import for other operations. A refused answerInput names the field. */
export const importsOnly: ApolloServerPlugin<{ req?: FastifyRequest }> = {
  requestDidStart: () =>
    Promise.resolve({
      async didResolveOperation({ contextValue: { req }, operation, request: { variables } }) {
        const size = req ? sizeOf(req) : 0;
        if (size > MAX_BODY_BYTES && !asksFor(operation, 'importConversation'))
          throw asksFor(operation, 'answerInput') ? refusalOfAnswer(variables?.input) : refusal();
        // The variables were parsed once and will be parsed again, so other requests get a chance in between.
        if (size > MANY_BYTES) await nextTick();
      },
    }),
};

/** Larger variables block the thread for tens of milliseconds. */
const MANY_BYTES = 256 * 1024;

function asksFor(operation: OperationDefinitionNode | undefined, name: string): boolean {
  return (
    operation?.selectionSet.selections.some(
      (field) => field.kind === Kind.FIELD && field.name.value === name,
    ) ?? false
  );
}

/** The declared size, which Node enforces. */
function sizeOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** If nobody reads it, only `pipeline` receives its errors. */
function paced(payload: Readable, viewer: Viewer | null, maxBytes: number): Readable {
  return pipeline(payload, new PacedBytes(viewer?.companyId ?? null, maxBytes, tooLarge), () => undefined);
}

function tooLarge(): Error {
  return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
}

function refusalOfAnswer(input: unknown): GraphQLError {
  const [kind] = Object.keys(isJsonObject(input) ? input : {});
  const path = kind === 'clientSkill' ? [kind, 'result'] : kind === undefined ? [] : [kind, 'value'];
  const { message, extensions, code } = badInput(['input', ...path], `This is too long. ${BODY_TOO_LARGE}`);
  return new GraphQLError(message, { extensions: { ...extensions, code, http: { status: 413 } } });
}

function refusal(): GraphQLError {
  const cause = new DomainError('PAYLOAD_TOO_LARGE', BODY_TOO_LARGE);
  return new GraphQLError(cause.message, {
    originalError: cause,
    extensions: { code: cause.code, http: { status: 413 } },
  });
}
