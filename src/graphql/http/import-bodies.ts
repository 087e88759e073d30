import { PassThrough, type Readable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';

import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import type { ApolloServerPlugin } from '@apollo/server';

import { DomainError } from '../../common/errors/domain-error.js';
import { wantsEvents } from '../streams/event-stream.js';
import { BODY_TOO_LARGE, MAX_BODY_BYTES, MAX_IMPORT_BYTES } from '../limits/operation-limits.js';
import type { SignIn } from '../sign-in.service.js';

/**
 * Lets those who have signed in send more to `path` than others may send to anything: what they send is read into
 * memory before GraphQL can tell that it is an import, which `importsOnly` sees to.
 */
export const allowImports = (fastify: FastifyInstance, path: string, signIn: SignIn): void => {
  fastify.addHook('onRoute', (route) => {
    if (route.url === path) route.bodyLimit = MAX_IMPORT_BYTES;
  });
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    const { headers, ip } = request;
    if (request.routeOptions.url !== path) return payload;
    if (headers['transfer-encoding'] !== undefined) return limited(payload);
    if (sizeOf(request) <= MAX_BODY_BYTES) return payload;
    if (wantsEvents(headers.accept) || !(await isSignedIn(signIn, headers.authorization, ip)))
      throw tooLarge();
    return payload;
  });
};

/** Refuses everything else that is as large as an import may be. */
export const importsOnly: ApolloServerPlugin<{ req?: FastifyRequest }> = {
  requestDidStart: () =>
    Promise.resolve({
      async didResolveOperation({ contextValue: { req }, operation }) {
        const size = req ? sizeOf(req) : 0;
        if (size > MAX_BODY_BYTES && !isImport(operation)) throw refusal();
        // Its variables have been read once, and are read again before anything is done with them.
        if (size > MANY_BYTES) await othersTurn();
      },
    }),
};

/** Variables of this size take tens of milliseconds to read, which others would wait for. */
const MANY_BYTES = 256 * 1024;

const isImport = (operation: OperationDefinitionNode | undefined): boolean =>
  operation?.selectionSet.selections.some(
    (field) => field.kind === Kind.FIELD && field.name.value === 'importConversation',
  ) ?? false;

/** As it says of itself, and Node sees to. */
const sizeOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/** A token that is no good gives no more room than none: nothing is read of the body that could be answered. */
const isSignedIn = async (signIn: SignIn, token: string | undefined, address: string): Promise<boolean> => {
  try {
    return (await signIn.viewerOf(token, address)) !== null;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};

/** A body that does not say how long it is has no more room than any other. */
const limited = (payload: Readable): Readable => {
  let bytes = 0;
  const counted = new PassThrough();
  payload.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) counted.destroy(tooLarge());
  });
  payload.on('error', (error) => counted.destroy(error));
  return payload.pipe(counted);
};

const tooLarge = (): Error => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();

const refusal = (): GraphQLError => {
  const cause = new DomainError('PAYLOAD_TOO_LARGE', BODY_TOO_LARGE);
  return new GraphQLError(cause.message, {
    originalError: cause,
    extensions: { code: cause.code, http: { status: 413 } },
  });
};
