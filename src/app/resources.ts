import { setTimeout as pause } from 'node:timers/promises';
import { UndiciOutboundHttp } from '@palabre/outbound';

import { type Clock, SystemClock } from '../common/clock.js';
import type { Config } from '../common/config/config.js';
import type { Logger } from '../common/process/logger.js';
import { localSecret, openSecrets } from '../companies/auth/local-secret.js';
import { type TokenKey, TokenVerifier } from '../companies/auth/token-verifier.js';
import { ensureFirstCompany } from '../companies/create-company.js';
import { configureModels } from '../llm/configured-models.js';
import { configureEmbedder } from '../llm/configured-embedder.js';
import { type DatabaseLocation, openDatabase } from '../platform/database/open-database.js';
import { explainConnectionError } from '../platform/database/unusable-database.js';
import { product } from '../common/product.js';
import { definedJobs } from '../platform/jobs/job-queue.js';
import { PgBossJobQueue } from '../platform/jobs/pg-boss-job-queue.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { InProcessPubSub } from '../platform/pubsub/in-process-pub-sub.js';
import { PostgresPubSub } from '../platform/pubsub/postgres-pub-sub.js';
import type { PubSub } from '../platform/pubsub/pub-sub.js';
import type { FileStorage } from '../platform/storage/file-storage.js';
import { openStorage } from '../platform/storage/open-storage.js';
import { tracedRequest } from '../platform/tracing/traced-requests.js';
import { openTracing } from '../platform/tracing/open-tracing.js';
import type { Tracing } from '../platform/tracing/tracing.js';
import type { Resources } from './app.module.js';
import { entities } from './entities.js';
import { loadPlugins } from './load-plugins.js';

export interface OpenResources extends Resources {
  /** The secret that signs tokens; null: this process cannot sign any. */
  secret: string | null;
  /** The slug of an existing company: `demo`, unless it was renamed. */
  firstCompany: string;
  /** Call it after the application is closed. A second call does nothing. */
  close(): Promise<void>;
}

/** Replaceable by tests. */
export interface Surroundings {
  /** For example a database in memory. */
  location?: DatabaseLocation;
  clock?: Clock;
  storage?: FileStorage;
  tracing?: Tracing;
}

/** The time to close everything after a failed start. */
const CLOSE_MS = 10_000;

/** Opens all resources in order. If a step fails, those before it are closed. */
export async function openResources(
  config: Config,
  logger: Logger,
  { location = config, clock = new SystemClock(), storage: given, tracing: givenTracing }: Surroundings = {},
): Promise<OpenResources> {
  // Closes in the reverse order, all of them even if some fail.
  const opened = new AsyncDisposableStack();
  const close = (): Promise<void> => opened.disposeAsync();
  try {
    const tracing = givenTracing ?? (await openTracing(config.tracing));
    if (!givenTracing) opened.defer(() => tracing.close());
    const metrics = new Metrics(tracing.measure);
    const plugins = await loadPlugins(config.plugins);
    const tokenKey = await tokenKeyOf(config);
    const secret = 'secret' in tokenKey ? tokenKey.secret : null;
    warnOfOwnSecret(config, logger);
    const { database, close: closeDatabase } = await openDatabase(location, entities, logger);
    opened.defer(closeDatabase);
    const firstCompany = await ensureFirstCompany(database);
    const work = { takesWork: config.role !== 'api' };
    const starting = PgBossJobQueue.start(database, definedJobs, work, logger, metrics, tracing);
    const jobs = await starting.catch(explaining(location.database.url));
    opened.defer(() => jobs.stop());
    const { pubSub, close: closePubSub } = await openPubSub(location.database.url, logger);
    opened.defer(closePubSub);
    const { close: closeModels, ...models } = await configureModels(config, logger);
    opened.defer(closeModels);
    const { embedder, close: closeEmbedder } = configureEmbedder(config.embedding, models.tokenizer);
    opened.defer(closeEmbedder);
    const outbound = new UndiciOutboundHttp({
      ...config.outbound,
      userAgent: product.userAgent,
      around: tracedRequest,
    });
    opened.defer(() => outbound.close());
    const { storage, close: closeStorage } = given
      ? { storage: given, close: async () => undefined }
      : await openStorage(config.storage, config.dataDir, logger);
    opened.defer(closeStorage);
    const tokens = new TokenVerifier(tokenKey, config.auth);
    const secrets = await openSecrets(config);
    const base = { config, logger, metrics, tracing, clock, plugins, database, secret, firstCompany };
    return { ...base, jobs, pubSub, ...models, embedder, outbound, storage, tokens, secrets, close };
  } catch (error) {
    await closeFailed(close, logger);
    throw error;
  }
}

/** Closes the resources of a failed start. One that fails to close, or takes too long, must not hide the reason. */
export async function closeFailed(
  close: () => Promise<void>,
  logger: Logger,
  limitMs = CLOSE_MS,
): Promise<void> {
  const closing = close().catch((reason: unknown) =>
    logger.error({ err: reason }, 'closing after a failed start'),
  );
  const over = new AbortController();
  const limit = pause(limitMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([closing, limit]);
  over.abort();
}

/** A server that accepted the first connection may refuse further ones, for example by a limit of the role. */
function explaining(url: string | null) {
  return (error: unknown): never => {
    throw url === null ? error : explainConnectionError(error, url);
  };
}

async function openPubSub(
  url: string | null,
  logger: Logger,
): Promise<{ pubSub: PubSub; close: () => Promise<void> }> {
  if (url === null) return { pubSub: new InProcessPubSub(logger), close: async () => undefined };
  const pubSub = await PostgresPubSub.open(url, logger).catch(explaining(url));
  return { pubSub, close: async () => pubSub.close() };
}

/** Only a warning: processes on one machine, or with one DATA_DIR on a volume, share the secret. */
function warnOfOwnSecret({ role, auth, encryptionKey, dataDir }: Config, logger: Logger): void {
  if (role === 'all' || encryptionKey !== null || auth.secret !== null) return;
  logger.warn(
    { role, dataDir },
    'neither ENCRYPTION_KEY nor AUTH_SECRET is set: processes with another DATA_DIR cannot read the secrets of this one',
  );
}

async function tokenKeyOf({ auth, dataDir }: Config): Promise<TokenKey> {
  return auth.jwksUrl === null
    ? { secret: auth.secret ?? (await localSecret(dataDir)) }
    : { jwksUrl: auth.jwksUrl };
}
