import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

import { AppModule, type Resources } from './app.module.js';
import { signToken } from './auth/token-signer.js';
import { newId } from './common/ids.js';
import { type Logger, NestLogger } from './common/logger.js';
import type { Config } from './config/config.js';
import type { DatabaseLocation } from './database/open-database.js';
import { registerExplorer } from './graphql/explorer/explorer.js';
import { GRAPHQL_PATH } from './graphql/graphql-socket.service.js';
import { MAX_BODY_BYTES } from './graphql/operation-limits.js';
import { logRequests } from './graphql/request-log.js';
import { openResources, type OpenResources } from './resources.js';

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

/** Starts the whole product as `config` says; `location` puts the database elsewhere, such as in memory. */
export const startServer = async (
  config: Config,
  logger: Logger,
  location: DatabaseLocation = config,
): Promise<Server> => {
  const resources = await openResources(config, logger, location);
  try {
    const demoToken = await signDemoToken(config, resources);
    const app = await createApp(resources, demoToken);
    await app.listen({ port: config.port, host: config.host });
    const close = async (): Promise<void> => {
      await app.close();
      await resources.close();
    };
    return { url: await localUrl(app), demoToken, resources, close };
  } catch (error) {
    await resources.close();
    throw error;
  }
};

/** The application, put together and not yet listening. */
export const createApp = async (
  resources: OpenResources,
  demoToken: string | null,
): Promise<NestFastifyApplication> => {
  const { logger } = resources;
  const adapter = new FastifyAdapter({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: newId,
    forceCloseConnections: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(resources), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    // Tokens are sent, never kept by the browser: another site's page can do nothing in a signed-in user's name.
    cors: { origin: true, maxAge: 86_400 },
  });
  logRequests(fastify, logger);
  registerExplorer(fastify, { graphqlPath: GRAPHQL_PATH, token: demoToken });
  return app;
};

/** Whoever can read the embedded database's folder can sign tokens; a server's explorer asks for one. */
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
