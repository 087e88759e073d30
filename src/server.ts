import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AppModule, type Resources } from './app.module.js';
import { signToken } from './auth/token-signer.js';
import { newId } from './common/ids.js';
import { type Logger, NestLogger } from './common/process/logger.js';
import type { Config } from './config/config.js';
import { endSlowRequests, MAX_UPLOAD_MS } from './files/uploads/slow-requests.js';
import { registerExplorer } from './graphql/explorer/explorer.js';
import { GRAPHQL_PATH } from './graphql/streams/graphql-socket.service.js';
import { STREAM_PATH } from './graphql/streams/graphql-sse.service.js';
import { allowImports } from './graphql/http/import-bodies.js';
import { readJsonBodies } from './graphql/http/json-bodies.js';
import { MAX_BODY_BYTES } from './graphql/limits/operation-limits.js';
import { logRequests } from './graphql/http/request-log.js';
import { SignIn } from './graphql/sign-in.service.js';
import { openResources, type OpenResources, type Surroundings } from './resources.js';

export interface Server {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Signs its bearer in as the demo company's admin; null unless the database is embedded. */
  demoToken: string | null;
  resources: Resources;
  /** Lets what is under way finish, within limits, and releases everything. */
  close(): Promise<void>;
}

const DEMO_TOKEN_SECONDS = 30 * 24 * 60 * 60;

/** For a request to come in whole, unless it is an upload. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Starts the whole product as `config` says. */
export const startServer = async (
  config: Config,
  logger: Logger,
  surroundings: Surroundings = {},
): Promise<Server> => {
  const resources = await openResources(config, logger, surroundings);
  let app: NestFastifyApplication | null = null;
  const close = async (): Promise<void> => {
    // Turns under way need the resources until the application has let go of them.
    try {
      await app?.close();
    } finally {
      await resources.close();
    }
  };
  try {
    const demoToken = await signDemoToken(config, resources);
    app = await createApp(resources);
    await app.listen({ port: config.port, host: config.host });
    return { url: await localUrl(app), demoToken, resources, close };
  } catch (error) {
    await close().catch((reason: unknown) => logger.error({ err: reason }, 'closing after a failed start'));
    throw error;
  }
};

/** The application, put together and not yet listening. */
export const createApp = async (resources: OpenResources): Promise<NestFastifyApplication> => {
  const { logger, metrics } = resources;
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newId,
    forceCloseConnections: true,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    requestTimeout: MAX_UPLOAD_MS,
    // An address that cannot be read never gets as far as the filter that words every other error.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) =>
      void reply.code(400).send({
        errors: [{ message: 'This is not an address.', extensions: { code: 'BAD_USER_INPUT' } }],
      }),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(resources), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    cors: corsOf,
  });
  readJsonBodies(app);
  endSlowRequests(fastify, REQUEST_TIMEOUT_MS);
  logRequests(fastify, logger, metrics);
  if (resources.config.role !== 'worker') {
    allowImports(fastify, GRAPHQL_PATH, app.get(SignIn, { strict: false }));
    registerExplorer(fastify, { graphqlPath: GRAPHQL_PATH });
  }
  return app;
};

/**
 * Any site's page may use the API: tokens are sent, and links are known, never kept by the browser, so it can do nothing
 * in a signed-in user's name. It may read nothing else.
 */
const corsOf = (
  request: FastifyRequest,
  callback: (error: Error | null, options: CorsOptions) => void,
): void => {
  const [path = ''] = request.url.split('?', 1);
  const isUpload = path.startsWith('/uploads/');
  const isOpen = isUpload || path.startsWith('/files/') || path === GRAPHQL_PATH || path === STREAM_PATH;
  callback(null, {
    origin: isOpen,
    methods: isUpload ? ['PUT'] : ['GET', 'HEAD', 'POST'],
    // What a file is to be saved as.
    exposedHeaders: ['content-disposition'],
    maxAge: 86_400,
  });
};

interface CorsOptions {
  origin: boolean;
  methods: string[];
  exposedHeaders: string[];
  maxAge: number;
}

/** Whoever can read the embedded database's folder can sign tokens; on a server nobody is handed one. */
const signDemoToken = async (
  { database, auth }: Config,
  { secret }: OpenResources,
): Promise<string | null> => {
  if (database.url !== null || secret === null) return null;
  const email = 'demo@example.org';
  const claims = { sub: email, company: 'demo', role: 'ADMIN' as const, name: 'Demo', email };
  return signToken(secret, claims, DEMO_TOKEN_SECONDS, auth);
};

const localUrl = async (app: NestFastifyApplication): Promise<string> =>
  (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
