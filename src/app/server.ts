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
import { isDoor } from '../doors/door-paths.js';
import { exampleQuestion } from './greeting.js';
import { explorerTabs } from '../graphql/web/explorer-tabs.js';
import { registerWebPages } from '../graphql/web/web-pages.js';
import { GRAPHQL_PATH } from '../graphql/streams/graphql-socket.service.js';
import { STREAM_PATH } from '../graphql/streams/graphql-sse.service.js';
import { limitBodies, readJsonBodies } from '../graphql/http/request-bodies.js';
import { MAX_BODY_BYTES } from '../graphql/limits/operation-limits.js';
import { TrustedDocuments } from '../graphql/trusted-documents.service.js';
import { UsageLimits } from '../graphql/limits/usage-limits.service.js';
import { cutPipelines } from './pipelined-requests.js';
import { logRequests, traceRequests } from '../graphql/http/request-log.js';
import { BrowserSignIn } from '../graphql/sessions/browser-sign-in.service.js';
import { SignIn } from '../graphql/sign-in.service.js';
import { closeFailed, openResources, type OpenResources, type Surroundings } from './resources.js';

export interface Server {
  /** Its address, without a slash at the end. */
  url: string;
  /** A token of an admin of the first company; null unless the database is embedded. */
  demoToken: string | null;
  resources: OpenResources;
  /** Ends running work within limits, and releases everything. */
  close(): Promise<void>;
}

const DEMO_TOKEN_SECONDS = 30 * 24 * 60 * 60;

/** The time limit of a request, except for uploads. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Clients then reconnect, so that load balancers can choose again. */
const MAX_REQUESTS_PER_CONNECTION = 1_000;

export async function startServer(
  config: Config,
  logger: Logger,
  surroundings: Surroundings = {},
): Promise<Server> {
  const resources = await openResources(config, logger, surroundings);
  let app: NestFastifyApplication | null = null;
  const close = async (): Promise<void> => {
    // Running turns need the resources until the application is closed.
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

/** The application, not listening yet. */
export async function createApp(resources: OpenResources): Promise<NestFastifyApplication> {
  const { logger, metrics, tracing } = resources;
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newId,
    // So that a link that is too long reaches its handler, which explains the error.
    routerOptions: { maxParamLength: 10 * LINK_CHARACTERS },
    forceCloseConnections: true,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    requestTimeout: MAX_UPLOAD_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_CONNECTION,
    // Invalid URLs never reach the filter that formats other errors.
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
  traceRequests(fastify, tracing);
  if (resources.config.role !== 'worker') {
    const [signIn, limits] = [app.get(SignIn, { strict: false }), app.get(UsageLimits, { strict: false })];
    app.get(TrustedDocuments, { strict: false }).resolveRequests(fastify, [GRAPHQL_PATH, STREAM_PATH]);
    limitBodies(fastify, { path: GRAPHQL_PATH, streamPath: STREAM_PATH }, signIn, limits);
    registerWebPages(fastify, {
      graphqlPath: GRAPHQL_PATH,
      hasConsole: resources.config.http.hasConsole,
      hasExplorer: resources.config.http.introspection !== 'off',
      explorerTabs: explorerTabs(exampleQuestion(resources.plugins)),
      signIn: app.get(BrowserSignIn, { strict: false }),
    });
  }
  return app;
}

/**
 * Pages of `origins` may use the API. That is safe without credentials mode: browsers store neither tokens nor signed
 * links, so a page cannot act in a user's name. Other paths are not readable.
 */
function corsOf(origins: '*' | readonly string[]) {
  return (request: FastifyRequest, callback: (error: Error | null, options: CorsOptions) => void): void => {
    const [path = ''] = request.url.split('?', 1);
    const isUpload = path.startsWith('/uploads/');
    const isApi = path === GRAPHQL_PATH || path === STREAM_PATH || isDoor(path);
    const isOpen = isUpload || path.startsWith('/files/') || isApi;
    callback(null, {
      origin: isOpen && (origins === '*' || [...origins]),
      methods: isUpload ? ['PUT'] : ['GET', 'HEAD', 'POST'],
      // The name of a download, when to retry, and where to sign in.
      exposedHeaders: ['content-disposition', 'retry-after', 'www-authenticate'],
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

/** Only for the embedded database, whose folder has the secret anyway. */
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
