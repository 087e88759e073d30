import { type Clock, SystemClock } from './common/clock.js';
import type { Logger } from './common/process/logger.js';
import { type TokenKey, TokenVerifier } from './auth/token-verifier.js';
import { localSecret } from './auth/local-secret.js';
import { eraseMember } from './companies/member-data/erase-member.job.js';
import { ensureFirstCompany } from './companies/create-company.js';
import type { Config } from './config/config.js';
import { type DatabaseLocation, openDatabase } from './database/open-database.js';
import { connectionProblem } from './database/unusable-database.js';
import { entities } from './entities.js';
import { PgBossJobQueue } from './jobs/pg-boss-job-queue.js';
import { configureModel } from './llm/configured-model.js';
import { configureEmbedder } from './llm/embeddings/configured-embedder.js';
import { Metrics } from './metrics/metrics.js';
import { UndiciOutboundHttp } from './outbound/undici-outbound-http.js';
import { InProcessPubSub } from './pubsub/in-process-pub-sub.js';
import { PostgresPubSub } from './pubsub/postgres-pub-sub.js';
import type { PubSub } from './pubsub/pub-sub.js';
import { Secrets } from './secrets/secrets.js';
import type { FileStorage } from './storage/file-storage.js';
import { openStorage } from './storage/open-storage.js';
import { keepConversation } from './agent/upkeep/keep-conversation.job.js';
import { extractMemories } from './agent/upkeep/memories/extract-memories.job.js';
import { indexConversations } from './conversations/indexing/index-conversations.job.js';
import { analyzeDocument } from './documents/analysis/analyze-document.job.js';
import { processDocument } from './documents/processing/process-document.job.js';
import { removeDocumentBytes } from './documents/upload/remove-document-bytes.job.js';
import { giveUpDocuments } from './documents/upload/give-up-documents.job.js';
import { expireUploads } from './files/uploads/expire-uploads.job.js';
import { deliverWebhook } from './notifications/webhooks/deliver-webhook.job.js';
import { compactSearch, indexSearch } from './search/lists/list.jobs.js';
import { embedCompanies, embedItems } from './search/semantic/embedding/embed-items.job.js';
import { expireApprovals } from './turns/approvals/approval-expiry.job.js';
import { eraseTraces } from './turns/erasure/erase-traces.job.js';
import { keepEventLog } from './turns/log/retention/keep-event-log.job.js';
import type { Resources } from './app.module.js';

export interface OpenResources extends Resources {
  /** The secret that tokens are signed with, when this process may sign them. */
  secret: string | null;
  /** After the application is closed. A second time does nothing. */
  close(): Promise<void>;
}

/** What a test puts in the place of the machine's own. */
export interface Surroundings {
  /** Such as in memory. */
  location?: DatabaseLocation;
  clock?: Clock;
  storage?: FileStorage;
}

/** Every kind of work that is done later: each needs its queue before it is put in line. */
const allJobs = [
  keepEventLog,
  keepConversation,
  extractMemories,
  expireApprovals,
  eraseTraces,
  eraseMember,
  expireUploads,
  giveUpDocuments,
  deliverWebhook,
  processDocument,
  removeDocumentBytes,
  analyzeDocument,
  indexConversations,
  indexSearch,
  compactSearch,
  embedItems,
  embedCompanies,
];

/** Opens what `config` names, in order; what was opened is closed again when a later step fails. */
export const openResources = async (
  config: Config,
  logger: Logger,
  { location = config, clock = new SystemClock(), storage: given }: Surroundings = {},
): Promise<OpenResources> => {
  const opened: (() => Promise<void>)[] = [];
  const close = (): Promise<void> => closeAll(opened.splice(0).toReversed());
  const metrics = new Metrics();
  try {
    const tokenKey = await tokenKeyOf(config);
    const secret = 'secret' in tokenKey ? tokenKey.secret : null;
    warnOfOwnSecret(config, logger);
    const { database, close: closeDatabase } = await openDatabase(location, entities, logger);
    opened.push(closeDatabase);
    await ensureFirstCompany(database);
    const work = { takesWork: config.role !== 'api' };
    const starting = PgBossJobQueue.start(database, allJobs, work, logger, metrics);
    const jobs = await starting.catch(explaining(location.database.url));
    opened.push(() => jobs.stop());
    const { pubSub, close: closePubSub } = await openPubSub(location.database.url, logger);
    opened.push(closePubSub);
    const { close: closeModels, ...models } = await configureModel(config, logger);
    opened.push(closeModels);
    const { embedder, close: closeEmbedder } = configureEmbedder(config.embedding, models.tokenizer);
    opened.push(closeEmbedder);
    const outbound = new UndiciOutboundHttp(config.outbound);
    opened.push(() => outbound.close());
    const { storage, close: closeStorage } = given
      ? { storage: given, close: async () => undefined }
      : await openStorage(config.storage, config.dataDir, logger);
    opened.push(closeStorage);
    const tokens = new TokenVerifier(tokenKey, config.auth);
    const secrets = new Secrets(config.encryptionKey ?? secret ?? (await localSecret(config.dataDir)));
    const ports = { jobs, pubSub, ...models, embedder, outbound, storage, tokens, secrets };
    return { config, logger, metrics, clock, database, ...ports, secret, close };
  } catch (error) {
    await close().catch((reason: unknown) => logger.error({ err: reason }, 'closing after a failed start'));
    throw error;
  }
};

/** The first connection was let in; a server may refuse the next ones, such as by a limit of the role. */
const explaining =
  (url: string | null) =>
  (error: unknown): never => {
    throw url === null ? error : connectionProblem(error, url);
  };

const openPubSub = async (
  url: string | null,
  logger: Logger,
): Promise<{ pubSub: PubSub; close: () => Promise<void> }> => {
  if (url === null) return { pubSub: new InProcessPubSub(logger), close: async () => undefined };
  const pubSub = await PostgresPubSub.open(url, logger).catch(explaining(url));
  return { pubSub, close: async () => pubSub.close() };
};

/** One after the other, each whatever became of the one before; rejects with the first failure. */
const closeAll = async (closers: readonly (() => Promise<void>)[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const close of closers) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
};

/** No refusal: processes on one machine, or with one DATA_DIR on a volume, have the same secret. */
const warnOfOwnSecret = ({ role, auth, encryptionKey, dataDir }: Config, logger: Logger): void => {
  if (role === 'all' || encryptionKey !== null || auth.secret !== null) return;
  logger.warn(
    { role, dataDir },
    'neither ENCRYPTION_KEY nor AUTH_SECRET is set: processes with another DATA_DIR cannot read the secrets of this one',
  );
};

const tokenKeyOf = async ({ auth, dataDir }: Config): Promise<TokenKey> =>
  auth.jwksUrl === null ? { secret: auth.secret ?? (await localSecret(dataDir)) } : { jwksUrl: auth.jwksUrl };
