import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

import { newId } from '../common/ids.js';
import type { Database } from '../database/database.js';
import { TENANT_ROLE } from '../database/roles.js';
import type { Transaction } from '../database/transaction.js';
import { type Job, JobQueue } from './job-queue.js';

const POLLING_SECONDS = 2;
const RETRIES = 5;
const STOP_TIMEOUT_MS = 5_000;

/** Tenants may put work in line; they can neither read nor take it. */
const GRANTS = `
  GRANT USAGE ON SCHEMA pgboss TO ${TENANT_ROLE};
  GRANT SELECT ON pgboss.queue TO ${TENANT_ROLE};
  GRANT INSERT, SELECT (id) ON pgboss.job, pgboss.job_common TO ${TENANT_ROLE}`;

/** JobQueue on pg-boss, over the one connection pool of the process. */
export class PgBossJobQueue extends JobQueue {
  private readonly boss: PgBoss;
  private readonly stopping = new AbortController();

  private constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {
    super();
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.execute(text, values) },
      backend: database.embedded ? 'pglite' : 'postgres',
    });
    this.boss.on('error', (error) => logger.warn({ err: error }, 'job queue'));
    this.boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  }

  /** Installs or upgrades pg-boss's own tables and makes every queue in `jobs`. */
  static async start(
    database: Database,
    jobs: readonly Job<object>[],
    logger: Logger,
  ): Promise<PgBossJobQueue> {
    const queue = new PgBossJobQueue(database, logger);
    await queue.boss.start();
    await database.dataSource.query(GRANTS);
    for (const { name } of jobs) {
      await queue.boss.createQueue(name, { retryLimit: RETRIES, retryBackoff: true });
      // pg-boss looks a queue up the first time it is used, on a connection of its own: inside a transaction on
      // the embedded database that would wait for ever for the connection which the transaction holds.
      await queue.boss.findJobs(name, { id: newId() });
    }
    return queue;
  }

  override async enqueue<Data extends object>(
    tx: Transaction,
    job: Job<Data>,
    data: Data,
    options: { startAfterSeconds?: number } = {},
  ): Promise<void> {
    await this.boss.send(job.name, data, {
      db: { executeSql: async (text, values) => ({ rows: await tx.query(text, values) }) },
      ...(options.startAfterSeconds ? { startAfter: options.startAfterSeconds } : {}),
    });
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await this.boss.work(job.name, { pollingIntervalSeconds: POLLING_SECONDS }, async (batch) => {
      for (const { id, data, signal } of batch) {
        const log = this.logger.child({ job: job.name, jobId: id });
        await handle(job.data.parse(data), AbortSignal.any([signal, this.stopping.signal])).catch(
          (error: unknown) => {
            log.error({ err: error }, 'job failed; it will be offered again');
            throw error;
          },
        );
      }
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process is stopping.'));
    await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  private async execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      const result = await runner.query(text, values, true);
      return { rows: (result.records as unknown[] | undefined) ?? [] };
    } finally {
      await runner.release();
    }
  }
}
