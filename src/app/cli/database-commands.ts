import { openSecrets } from '../../companies/auth/local-secret.js';
import { checkInput } from '../../common/check-input.js';
import { createLogger } from '../../common/process/logger.js';
import { CompanyCreation } from '../../companies/company-input.js';
import { createCompany as create } from '../../companies/create-company.js';
import { beginCompanyErasure, checkConfirmation } from '../../companies/company-erasure.service.js';
import type { CompanyErasure } from '../../companies/company-erasure.repository.js';
import { eraseCompany as eraseCompanyJob } from '../../companies/companies.jobs.js';
import type { Config } from '../../common/config/config.js';
import type { Database } from '../../platform/database/database.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { entities } from '../entities.js';
import { PgBossJobQueue } from '../../platform/jobs/pg-boss-job-queue.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { InProcessPubSub } from '../../platform/pubsub/in-process-pub-sub.js';
import { PostgresPubSub } from '../../platform/pubsub/postgres-pub-sub.js';
import { reencryptSecrets, type ReencryptionCounts } from './reencrypt-secrets.js';

/**
 * Creates a company. Rejects with BAD_USER_INPUT when a value is not valid, with CONFLICT when the slug is taken or
 * when a running server holds the database.
 */
export async function createCompany(
  config: Config,
  company: Parameters<typeof create>[1],
): Promise<{ id: string; slug: string; name: string }> {
  // Checked before the database opens, so that a typing mistake is reported even while a server holds the database.
  const checked = checkInput(CompanyCreation, company, []);
  return withDatabase(config, (database) => create(database, checked));
}

/** Brings the schema to the newest migration, which opening the database does. */
export function migrate(config: Config): Promise<void> {
  return withDatabase(config, async () => undefined);
}

/**
 * Marks a company as erased; worker processes remove its data. Rejects with BAD_USER_INPUT when the confirmation is
 * not the slug, with NOT_FOUND, and with CONFLICT when a running server holds the database.
 */
export async function eraseCompany(
  config: Config,
  erasure: { slug: string; confirmation: string },
): Promise<CompanyErasure> {
  // Before the database opens, as above.
  checkConfirmation(erasure.slug, erasure.confirmation);
  return withDatabase(config, async (database) => {
    const logger = createLogger({ level: 'silent', pretty: false });
    const work = { takesWork: false };
    const { url } = config.database;
    await using opened = new AsyncDisposableStack();
    const jobs = opened.adopt(
      await PgBossJobQueue.start(database, [eraseCompanyJob], work, logger, new Metrics()),
      (queue) => queue.stop(),
    );
    const pubSub =
      url === null
        ? new InProcessPubSub(logger)
        : opened.adopt(await PostgresPubSub.open(url, logger), async (each) => each.close());
    return await beginCompanyErasure({ database, jobs, pubSub }, { ...erasure, requestedBy: 'command' });
  });
}

/** Encrypts secrets that an older key encrypts with the current key, and gives how many. */
export async function reencryptCompanySecrets(config: Config): Promise<ReencryptionCounts> {
  const secrets = await openSecrets(config);
  return withDatabase(config, (database) => reencryptSecrets(database, secrets));
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const { database, close } = await openDatabase(config, entities);
  try {
    return await work(database);
  } finally {
    await close();
  }
}
