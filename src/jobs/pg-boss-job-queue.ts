import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

import { newId } from '../common/ids.js';
import type { Database } from '../database/database.js';
import { oneAtATime } from '../database/one-at-a-time.js';
import { explainingPermissions } from '../database/schema/permissions.js';
import { SYSTEM_ROLE, TENANT_ROLE } from '../database/schema/roles.js';
import type { Transaction } from '../database/transaction.js';
import type { Metrics } from '../metrics/metrics.js';
import { type Job, JobQueue } from './job-queue.js';

const POLLING_SECONDS = 2;
const BATCH = 50;
const STOP_TIMEOUT_MS = 5_000;

/** How often pg-boss looks for jobs whose process is gone, and throws away those that are done. */
const SUPERVISION_SECONDS = 15;
const CLEANING_SECONDS = 300;

/** What becomes of a queue's jobs. A job that is lost would leave its row unattended: it is tried for ever. */
const QUEUE_OPTIONS = {
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 20,
  expireInSeconds: 30,
  deleteAfterSeconds: 600,
};

/** Replicas that start together would make the same schema, and change the same rows of the catalogue. */
const START_LOCK = 7_265_116_202;

/** Tenants and the installation's own statements may put work in line; they can neither read nor take it. */
const GRANTS = `
  GRANT USAGE ON SCHEMA pgboss TO ${TENANT_ROLE}, ${SYSTEM_ROLE};
  GRANT SELECT ON pgboss.queue TO ${TENANT_ROLE}, ${SYSTEM_ROLE};
  GRANT INSERT, SELECT (id) ON pgboss.job, pgboss.job_common TO ${TENANT_ROLE}, ${SYSTEM_ROLE}`;

/** What of a job its queue is made of. */
type QueuedJob = Pick<Job<object>, 'name' | 'maxSeconds' | 'heartbeatSeconds'>;

/** JobQueue on pg-boss, over the one connection pool of the process. */
export class PgBossJobQueue extends JobQueue {
  private readonly boss: PgBoss;
  private readonly stopping = new AbortController();

  private constructor(
    private readonly database: Database,
    override readonly takesWork: boolean,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {
    super();
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.execute(text, values) },
      backend: database.embedded ? 'pglite' : 'postgres',
      schedule: false,
      superviseIntervalSeconds: SUPERVISION_SECONDS,
      monitorIntervalSeconds: SUPERVISION_SECONDS,
      maintenanceIntervalSeconds: CLEANING_SECONDS,
    });
    this.boss.on('error', (error) => logger.warn({ err: error }, 'job queue'));
    this.boss.on('warning', (warning) => logger.warn({ warning }, 'job queue'));
  }

  /** Installs or upgrades pg-boss's own tables and makes the queue of every job in `jobs`, whoever takes them. */
  static async start(
    database: Database,
    jobs: readonly QueuedJob[],
    { takesWork }: { takesWork: boolean },
    logger: Logger,
    metrics: Metrics,
  ): Promise<PgBossJobQueue> {
    const queue = new PgBossJobQueue(database, takesWork, logger, metrics);
    try {
      await oneAtATime(database, START_LOCK, async () => {
        await explainingPermissions(database.dataSource, async () => {
          await queue.boss.start();
          await database.dataSource.query(GRANTS);
        });
        for (const job of jobs) await queue.makeQueue(job);
      });
      return queue;
    } catch (error) {
      // Or its timers would go on. The first error is the one to tell.
      await queue.stop().catch(() => undefined);
      throw error;
    }
  }

  override async enqueue<Data extends object>(
    tx: Transaction,
    job: Job<Data>,
    data: Data,
    options: { startAfterSeconds?: number; behind?: number } = {},
  ): Promise<void> {
    await this.boss.send(job.name, data, {
      db: { executeSql: async (text, values) => ({ rows: await tx.query(text, values) }) },
      singletonKey: job.keyOf(data),
      ...(options.startAfterSeconds ? { startAfter: options.startAfterSeconds } : {}),
      ...(options.behind ? { priority: -options.behind } : {}),
    });
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (!this.takesWork) return;
    const options = {
      pollingIntervalSeconds: POLLING_SECONDS,
      batchSize: job.atATime ?? BATCH,
      burstWhenBatchFull: true,
      perJobResults: true as const,
    };
    await this.boss.work(job.name, options, (batch: BossJob<object>[]) =>
      Promise.all(batch.map((one) => this.carryOut(job, one, handle))),
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process is stopping.'));
    await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  private async makeQueue({ name, maxSeconds, heartbeatSeconds }: QueuedJob): Promise<void> {
    const options = {
      ...QUEUE_OPTIONS,
      expireInSeconds: maxSeconds ?? QUEUE_OPTIONS.expireInSeconds,
      ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
    };
    await this.boss.createQueue(name, { policy: 'short', ...options });
    // A queue that an earlier version made keeps that version's options otherwise.
    await this.boss.updateQueue(name, options);
    // pg-boss looks a queue up the first time it is used, on a connection of its own: inside a transaction on
    // the embedded database that would wait for ever for the connection which the transaction holds.
    await this.boss.findJobs(name, { id: newId() });
  }

  private async carryOut<Data extends object>(
    job: Job<Data>,
    { id, data, signal }: BossJob<object>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<JobResult> {
    const at = performance.now();
    const ended = (outcome: 'done' | 'failed'): void =>
      this.metrics.jobEnded(job.name, outcome, (performance.now() - at) / 1000);
    try {
      await handle(job.data.parse(data), AbortSignal.any([signal, this.stopping.signal]));
      ended('done');
      return { id, status: 'completed' };
    } catch (error) {
      ended('failed');
      this.logger.error({ err: error, job: job.name, jobId: id }, 'job failed; it will be offered again');
      return { id, status: 'failed' };
    }
  }

  private async execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      const result = await runner.query(text, values, true);
      return { rows: (result.records as unknown[] | undefined) ?? [] };
    } catch (error) {
      // pg-boss sends whole transactions as one text: one that fails half-way is still open, on a connection that
      // others use next.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}
