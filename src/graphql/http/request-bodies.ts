import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { errorCodes, type RawServerDefault, type FastifyInstance, type FastifyRequest } from 'fastify';
import { pipeline, type Readable, Transform } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import type { ApolloServerPlugin } from '@apollo/server';

import { MAX_BODY_BYTES, BODY_TOO_LARGE, MAX_IMPORT_BYTES } from '../limits/operation-limits.js';
import { jsonFault } from '../limits/json-limits.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { wantsEvents } from '../streams/event-stream.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';
import type { SignIn } from '../sign-in.service.js';

const NOT_JSON = 'The body is not valid JSON.';
const UNUSABLE_KEY = 'No key in the body may be `__proto__`, nor `prototype` inside `constructor`.';

/** Parses JSON bodies as Fastify does, and tells invalid JSON from forbidden keys, which Fastify does not. */
export function readJsonBodies(app: NestFastifyApplication): void {
  const read = app.getHttpAdapter().getInstance().getDefaultJsonParser('error', 'error');
  const options = { bodyLimit: MAX_BODY_BYTES };
  app.useBodyParser<RawServerDefault>('application/json', options, (request, body, done) => {
    const startedAt = performance.now();
    const fault = jsonFault(body);
    if (fault !== null) return void done(new BadRequestException(fault));
    const text = body.toString();
    read(request, text, (error, value) => {
      request.readingMs = performance.now() - startedAt;
      if (!(error instanceof errorCodes.FST_ERR_CTP_INVALID_JSON_BODY)) done(error, value);
      else done(new BadRequestException(isJson(text) ? UNUSABLE_KEY : NOT_JSON));
    });
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets signed-in clients send larger bodies to `path`, for imports. The body is read before GraphQL knows the
 * operation; `importsOnly` then refuses any other operation of this size.
 */
export function allowImports(
  fastify: FastifyInstance,
  path: string,
  signIn: SignIn,
  limits: UsageLimits,
): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === path) route.bodyLimit = MAX_IMPORT_BYTES;
  });
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    const { headers, ip } = request;
    if (request.routeOptions.url !== path) return payload;
    if (headers['transfer-encoding'] !== undefined) return limited(payload);
    if (sizeOf(request) <= MAX_BODY_BYTES) return payload;
    const viewer = wantsEvents(headers.accept) ? null : await viewerOf(signIn, headers.authorization, ip);
    if (!viewer) throw tooLarge();
    // Reading takes thread time, which is counted afterwards.
    await limits.checkThreadTime(viewer);
    return payload;
  });
}

/** Refuses other operations with a body as large as an import. */
export const importsOnly: ApolloServerPlugin<{ req?: FastifyRequest }> = {
  requestDidStart: () =>
    Promise.resolve({
      async didResolveOperation({ contextValue: { req }, operation }) {
        const size = req ? sizeOf(req) : 0;
        if (size > MAX_BODY_BYTES && !isImport(operation)) throw refusal();
        // The variables were parsed once and will be parsed again, so other requests get a chance in between.
        if (size > MANY_BYTES) await nextTick();
      },
    }),
};

/** Larger variables block the thread for tens of milliseconds. */
const MANY_BYTES = 256 * 1024;

function isImport(operation: OperationDefinitionNode | undefined): boolean {
  return (
    operation?.selectionSet.selections.some(
      (field) => field.kind === Kind.FIELD && field.name.value === 'importConversation',
    ) ?? false
  );
}

/** The declared size, which Node enforces. */
function sizeOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** An invalid token allows no larger body than none: the error is reported later. */
function viewerOf(signIn: SignIn, token: string | undefined, address: string): Promise<Viewer | null> {
  return signIn.viewerOf(token, address).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
}

/**
 * Limits a body without a declared length. If nobody reads it, for example because of its media type, only `pipeline`
 * receives its errors.
 */
function limited(payload: Readable): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) done(tooLarge());
      else done(null, chunk);
    },
  });
  return pipeline(payload, counted, () => undefined);
}

function tooLarge(): Error {
  return new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
}

function refusal(): GraphQLError {
  const cause = new DomainError('PAYLOAD_TOO_LARGE', BODY_TOO_LARGE);
  return new GraphQLError(cause.message, {
    originalError: cause,
    extensions: { code: cause.code, http: { status: 413 } },
  });
}
