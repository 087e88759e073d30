import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AppModule } from './app.module.js';
import { signToken } from '../companies/auth/token-signer.js';
import { newId } from '../common/ids.js';
import { type Logger, NestLogger } from '../common/process/logger.js';
import type { Config } from '../common/config/config.js';
import { LINK_CHARACTERS } from '../companies/files/signed-links.js';
import { endSlowRequests, MAX_UPLOAD_MS } from '../companies/files/incoming-body.js';
import { exampleQuestion } from './example-question.js';
import { registerExplorer } from '../graphql/explorer/explorer.js';
import { GRAPHQL_PATH } from '../graphql/streams/graphql-socket.service.js';
import { STREAM_PATH } from '../graphql/streams/graphql-sse.service.js';
import { limitBodies, readJsonBodies } from '../graphql/http/request-bodies.js';
import { MAX_BODY_BYTES } from '../graphql/limits/operation-limits.js';
import { UsageLimits } from '../graphql/limits/usage-limits.service.js';
import { cutPipelines } from './pipelined-requests.js';
import { logRequests } from '../graphql/http/request-log.js';
import { SignIn } from '../graphql/sign-in.service.js';
import { closeFailed, openResources, type OpenResources, type Surroundings } from './resources.js';

export interface Server {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** Signs its bearer in as an admin of the first company; null unless the database is embedded. */
  demoToken: string | null;
  resources: OpenResources;
  /** Lets what is under way finish, within limits, and releases everything. */
  close(): Promise<void>;
}

const DEMO_TOKEN_SECONDS = 30 * 24 * 60 * 60;

/** For a request to come in whole, unless it is an upload. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Then a client takes another connection, and load balancers get to choose again. */
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/** Starts the whole product as `config` says. */
export async function startServer(
  config: Config,
  logger: Logger,
  surroundings: Surroundings = {},
): Promise<Server> {
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
    await closeFailed(close, logger);
    throw error;
  }
}

/** The application, put together and not yet listening. */
export async function createApp(resources: OpenResources): Promise<NestFastifyApplication> {
  const { logger, metrics } = resources;
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newId,
    // A link that is too long is told apart from none by whoever reads it.
    routerOptions: { maxParamLength: 10 * LINK_CHARACTERS },
    forceCloseConnections: true,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    requestTimeout: MAX_UPLOAD_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_CONNECTION,
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
    cors: corsOf(resources.config.http.corsOrigins),
  });
  app.getHttpServer().maxConnections = resources.config.http.maxConnections;
  cutPipelines(fastify);
  readJsonBodies(app);
  endSlowRequests(fastify, REQUEST_TIMEOUT_MS);
  logRequests(fastify, logger, metrics);
  if (resources.config.role !== 'worker') {
    const [signIn, limits] = [app.get(SignIn, { strict: false }), app.get(UsageLimits, { strict: false })];
    limitBodies(fastify, { path: GRAPHQL_PATH, streamPath: STREAM_PATH }, signIn, limits);
    registerExplorer(fastify, { graphqlPath: GRAPHQL_PATH }, exampleQuestion(resources.plugins));
  }
  return app;
}

/**
 * Pages of `origins` may use the API: tokens are sent, and links are known, never kept by the browser, so that they can do
 * nothing in a signed-in user's name. They may read nothing else.
 */
function corsOf(origins: '*' | readonly string[]) {
  return (request: FastifyRequest, callback: (error: Error | null, options: CorsOptions) => void): void => {
    const [path = ''] = request.url.split('?', 1);
    const isUpload = path.startsWith('/uploads/');
    const isOpen = isUpload || path.startsWith('/files/') || path === GRAPHQL_PATH || path === STREAM_PATH;
    callback(null, {
      origin: isOpen && (origins === '*' || [...origins]),
      methods: isUpload ? ['PUT'] : ['GET', 'HEAD', 'POST'],
      // What a file is to be saved as, and when to come again.
      exposedHeaders: ['content-disposition', 'retry-after'],
      maxAge: 86_400,
    });
  };
}

interface CorsOptions {
  origin: boolean | string[];
  methods: string[];
  exposedHeaders: string[];
  maxAge: number;
}

/** Whoever can read the embedded database's folder can sign tokens; on a server nobody is handed one. */
async function signDemoToken(
  { database, auth }: Config,
  { secret, firstCompany }: OpenResources,
): Promise<string | null> {
  if (database.url !== null || secret === null) return null;
  const email = 'demo@example.org';
  const claims = { sub: email, company: firstCompany, role: 'ADMIN' as const, name: 'Demo', email };
  return signToken(secret, claims, Math.min(DEMO_TOKEN_SECONDS, auth.maxTokenSeconds), auth);
}

async function localUrl(app: NestFastifyApplication): Promise<string> {
  return (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
}
