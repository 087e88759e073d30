import { isDeepStrictEqual } from 'node:util';

import { type Job as BossJob, type JobResult, PgBoss, type QueueResult } from 'pg-boss';
import type { Logger } from 'pino';

import { newId } from '../../common/ids.js';
import type { Database } from '../database/database.js';
import { withAdvisoryLock } from '../database/advisory-lock.js';
import { explainMissingPermissions } from '../database/permissions.js';
import { SYSTEM_ROLE, TENANT_ROLE, type Transaction } from '../database/transaction.js';
import type { Metrics } from '../metrics/metrics.js';
import { inSpan, within } from '../tracing/span.js';
import { NoTracing, type Tracing } from '../tracing/tracing.js';
import { type Job, JobQueue, type QueuedJob } from './job-queue.js';

const POLLING_MS = 2_000;
/** Workers wait to be woken. There are dozens: if each polled, they would all ask at once, whether there are jobs or not. */
const UNTIL_WOKEN_SECONDS = 86_400;
const BATCH = 50;

/** After enqueuing a job here, the worker looks for jobs once after this delay, however many were enqueued meanwhile. */
const WAKE_AFTER_MS = 100;
const STOP_TIMEOUT_MS = 5_000;

/** How often pg-boss looks for jobs of dead processes, and how often it deletes finished ones. */
const SUPERVISION_SECONDS = 15;
const CLEANING_SECONDS = 300;

/** Practically for ever. By default pg-boss deletes waiting jobs, retries included, after 14 days. */
const RETENTION_SECONDS = 50 * 365 * 86_400;

/** Jobs are retried for ever: the row of a lost job would stay unfinished. */
const QUEUE_OPTIONS = {
  retentionSeconds: RETENTION_SECONDS,
  retryLimit: 2_000_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 20,
  expireInSeconds: 30,
  deleteAfterSeconds: 600,
};

/** After this long without its heartbeat, which is automatic, a process counts as dead and its jobs are tried again. */
const HEARTBEAT_SECONDS = 15;

/** Any fixed number: replicas that start together must not create pg-boss's schema at the same time. */
const START_LOCK = 7_265_116_202;

/** Both roles may enqueue jobs, and can neither read nor take them. */
const GRANTS = `
  GRANT USAGE ON SCHEMA pgboss TO ${TENANT_ROLE}, ${SYSTEM_ROLE};
  GRANT SELECT ON pgboss.queue TO ${TENANT_ROLE}, ${SYSTEM_ROLE};
  GRANT INSERT, SELECT (id) ON pgboss.job, pgboss.job_common TO ${TENANT_ROLE}, ${SYSTEM_ROLE}`;

/** The queues of $1 that have jobs to do now. */
const DUE_QUEUES = `
  SELECT queue.name FROM unnest($1::text[]) AS queue (name)
  WHERE EXISTS (SELECT FROM pgboss.job AS job
                WHERE job.name = queue.name AND job.state < 'active' AND NOT job.blocked AND job.start_after <= now())`;

/** JobQueue on pg-boss, over the one connection pool of the process. */
export class PgBossJobQueue extends JobQueue {
  private readonly boss: PgBoss;
  private readonly stopping = new AbortController();
  private readonly worked = new Set<string>();
  private readonly wakeTimers = new Map<string, NodeJS.Timeout>();
  private pollTimer: NodeJS.Timeout | null = null;
  private polling = Promise.resolve();
  private readonly queues = new Set<string>();

  private constructor(
    private readonly database: Database,
    override readonly takesWork: boolean,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
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

  /** Installs or upgrades pg-boss's tables, and creates the queue of every job in `jobs`, also of those run elsewhere. */
  static async start(
    database: Database,
    jobs: readonly QueuedJob[],
    { takesWork }: { takesWork: boolean },
    logger: Logger,
    metrics: Metrics,
    tracing: Tracing = new NoTracing(),
  ): Promise<PgBossJobQueue> {
    const queue = new PgBossJobQueue(database, takesWork, logger, metrics, tracing);
    try {
      await withAdvisoryLock(database, START_LOCK, async () => {
        await explainMissingPermissions(database.dataSource, async () => {
          await queue.keepWaiting();
          await queue.boss.start();
          await database.dataSource.query(GRANTS);
        });
        await queue.makeQueues(jobs);
      });
      return queue;
    } catch (error) {
      // Stops its timers. The first error is the one to report.
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
    this.requireQueue(job);
    await this.boss.send(job.name, data, {
      db: { executeSql: async (text, values) => ({ rows: await tx.query(text, values) }) },
      singletonKey: job.keyOf(data),
      ...(options.startAfterSeconds ? { startAfter: options.startAfterSeconds } : {}),
      ...(job.workers && { group: { id: job.workers.companyOf(data) } }),
      ...(options.behind ? { priority: -options.behind } : {}),
    });
    if (!options.startAfterSeconds) tx.afterCommit(() => this.wakeWorker(job.name));
  }

  override async listMissing<Data extends object>(job: Job<Data>, pieces: readonly Data[]): Promise<Data[]> {
    if (pieces.length === 0) return [];
    const { rows } = await this.execute(
      `SELECT singleton_key AS key FROM pgboss.job
       WHERE name = $1 AND singleton_key = ANY ($2) AND state < 'completed'`,
      [job.name, pieces.map((data) => job.keyOf(data))],
    );
    const keys = new Set((rows as { key: string }[]).map(({ key }) => key));
    return pieces.filter((data) => !keys.has(job.keyOf(data)));
  }

  override async removeOf(companyId: string, except: Pick<Job<never>, 'name'>): Promise<void> {
    await this.execute(
      `DELETE FROM pgboss.job WHERE data ->> 'companyId' = $1 AND name <> $2 AND state <> 'active'`,
      [companyId, except.name],
    );
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.requireQueue(job);
    if (!this.takesWork) return;
    this.pollTimer ??= this.pollLater();
    const options = {
      pollingIntervalSeconds: UNTIL_WOKEN_SECONDS,
      batchSize: job.atATime ?? BATCH,
      perJobResults: true as const,
      ...(job.workers && {
        localConcurrency: job.workers.all,
        localGroupConcurrency: job.workers.ofOneCompany,
      }),
    };
    await this.boss.work(job.name, options, async (batch: BossJob<object>[]) => {
      // More may be waiting. If a batch is one job, pg-boss does not look again by itself.
      const mayBeMore = batch.length === options.batchSize;
      if (mayBeMore) this.lookForJobs(job.name);
      const results = await Promise.all(batch.map((one) => this.carryOut(job, one, handle)));
      if (mayBeMore) this.lookAgain(job.name);
      return results;
    });
    this.worked.add(job.name);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('The process is stopping.'));
    for (const timer of this.wakeTimers.values()) clearTimeout(timer);
    if (this.pollTimer) clearTimeout(this.pollTimer);
    await this.polling;
    await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  private pollLater(): NodeJS.Timeout {
    return setTimeout(() => (this.polling = this.poll()), POLLING_MS);
  }

  /** For jobs that other processes enqueued, that are retried, or that were due later. */
  private async poll(): Promise<void> {
    try {
      const { rows } = await this.execute(DUE_QUEUES, [[...this.worked]]);
      const due = new Set((rows as { name: string }[]).map(({ name }) => name));
      // All of a queue, because one of them may be waiting for a connection that is dead.
      for (const worker of this.boss.getWipData())
        if (due.has(worker.name)) this.boss.notifyWorker(worker.id);
    } catch (error) {
      this.logger.warn({ err: error }, 'due jobs could not be looked for');
    }
    if (!this.stopping.signal.aborted) this.pollTimer = this.pollLater();
  }

  /** Other processes find the job when they next poll. */
  private wakeWorker(name: string): void {
    if (!this.worked.has(name) || this.wakeTimers.has(name)) return;
    const wake = (): void => {
      this.wakeTimers.delete(name);
      this.lookForJobs(name);
    };
    this.wakeTimers.set(name, setTimeout(wake, WAKE_AFTER_MS));
  }

  /** Wakes one idle worker, which wakes the next if it finds a job, because there may be many workers and few jobs. */
  private lookForJobs(name: string): void {
    const idle = this.boss.getWipData().find((worker) => worker.name === name && worker.count === 0);
    if (idle) this.boss.notifyWorker(idle.id);
    else this.lookAgain(name);
  }

  /** Makes busy workers look again when they are done. */
  private lookAgain(name: string): void {
    const busy = this.boss.getWipData().filter((worker) => worker.name === name && worker.count > 0);
    for (const { id } of busy) this.boss.notifyWorker(id);
  }

  /** Each job has its own date of deletion. Those that an earlier version enqueued need a later one. */
  private async keepWaiting(): Promise<void> {
    const { dataSource } = this.database;
    const there = await dataSource.query<object[]>(`SELECT WHERE to_regclass('pgboss.job') IS NOT NULL`);
    if (there.length === 0) return;
    await dataSource.query(
      `UPDATE pgboss.job SET keep_until = start_after + make_interval(secs => $1)
       WHERE state < 'active' AND keep_until < start_after + make_interval(secs => $1)`,
      [RETENTION_SECONDS],
    );
  }

  private async makeQueues(jobs: readonly QueuedJob[]): Promise<void> {
    const existing = new Map((await this.boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const job of jobs) {
      await this.makeQueue(job, existing.get(job.name));
      this.queues.add(job.name);
    }
  }

  /** Most starts find every queue as it should be. pg-boss has read those when it started. */
  private async makeQueue(
    { name, maxSeconds = QUEUE_OPTIONS.expireInSeconds }: QueuedJob,
    existing: QueueResult | undefined,
  ): Promise<void> {
    const isLong = maxSeconds > QUEUE_OPTIONS.expireInSeconds;
    const options = {
      ...QUEUE_OPTIONS,
      expireInSeconds: maxSeconds,
      ...(isLong && { heartbeatSeconds: HEARTBEAT_SECONDS }),
    };
    if (existing && isDeepStrictEqual({ ...existing, ...options }, existing)) return;
    if (existing) await this.boss.updateQueue(name, options);
    else await this.boss.createQueue(name, { policy: 'short', ...options });
    // On first use pg-boss looks the queue up on a connection of its own. Within a transaction on the embedded database
    // that would wait for ever for the connection that the transaction holds.
    await this.boss.findJobs(name, { id: newId() });
  }

  /** Without the preparations for its queue, a job on the embedded database would wait for ever. */
  private requireQueue({ name }: QueuedJob): void {
    if (!this.queues.has(name)) throw new Error(`The job ${name} has no queue: make it by defineJob.`);
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
      const work = (): Promise<void> =>
        handle(job.data.parse(data), AbortSignal.any([signal, this.stopping.signal]));
      await within(this.tracing.receive(null), () => inSpan(`process ${job.name}`, () => ({}), work));
      ended('done');
      return { id, status: 'completed' };
    } catch (error) {
      const facts = { job: job.name, jobId: id };
      if (this.stopping.signal.aborted) {
        this.logger.info(facts, 'job left off; it will be offered again');
      } else {
        ended('failed');
        this.logger.error({ err: error, ...facts }, 'job failed; it will be offered again');
      }
      return { id, status: 'failed' };
    }
  }

  private async execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      const result = await runner.query(text, values, true);
      return { rows: (result.records as unknown[] | undefined) ?? [] };
    } catch (error) {
      // pg-boss sends whole transactions as one text. One that fails half-way is still open on this pooled connection.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}
