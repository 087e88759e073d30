import { z } from 'zod';

import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';

/** A kind of job. Its data are ids only: a job begins by reading its row. */
export interface Job<Data extends object> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
  /** The subject of the job. At most one job of a key waits: enqueuing a second one does nothing. */
  readonly keyOf: (data: Data) => string;
  /** How long a job may take before it is tried again; sooner when its process has died. Default: 30. */
  readonly maxSeconds?: number;
  /** How many jobs a worker takes at a time. It takes more when all are done, so they must be short. Default: 50. */
  readonly atATime?: number;
  /**
   * For jobs that may take long: the number of independent workers of a process, and how many of them one company may
   * use, so that others find one. `companyOf` reads the company from the data. Default: one.
   */
  readonly workers?: { all: number; ofOneCompany: number; companyOf(data: Data): string };
}

/** A durable job queue. The class is both the type and the injection token. */
export abstract class JobQueue {
  /** Whether this process runs jobs. A process with the role api only enqueues them. */
  abstract readonly takesWork: boolean;

  /**
   * Enqueues a job in `tx`: it is committed or rolled back with its row. `behind` is the number of waiting jobs of
   * the same company. Fewer come first, so that no company waits for all jobs of another.
   */
  abstract enqueue<Data extends object>(
    tx: Transaction,
    job: Job<Data>,
    data: Data,
    options?: { startAfterSeconds?: number; behind?: number },
  ): Promise<void>;

  /** Gives the data of `pieces` for which no job is waiting, running or to be retried. */
  abstract listMissing<Data extends object>(job: Job<Data>, pieces: readonly Data[]): Promise<Data[]>;

  /** Removes a company's waiting jobs, except those of the kind `except`. Running jobs end by themselves. */
  abstract removeOf(companyId: string, except: Pick<Job<never>, 'name'>): Promise<void>;

  /**
   * Runs jobs as they become due, on any one replica, several at a time. A job may run more than once, and runs again
   * later when `handle` rejects, which is logged, or takes too long. `signal` is aborted then, and when the process
   * stops. Does nothing in a process that runs no jobs.
   */
  abstract work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
}

/** The facts of a job that enqueuing needs. */
export type QueuedJob = Pick<Job<object>, 'name' | 'maxSeconds'>;

/** All kinds of jobs of the code that was loaded. */
export const definedJobs: QueuedJob[] = [];

export function defineJob<Data extends object>(job: Job<Data>): Job<Data> {
  definedJobs.push(job);
  return job;
}

/** A recurring job of the whole installation. At most one is waiting, however many replicas there are. */
interface RecurringJob extends Job<object> {
  /** From the end of one run to the beginning of the next. */
  readonly everySeconds: number;
}

export function recurringJob(job: Pick<RecurringJob, 'name' | 'everySeconds'>): RecurringJob {
  return { ...job, ...defineJob<object>({ name: job.name, data: z.object({}), keyOf: () => 'all' }) };
}

/** Runs `work` once this process takes jobs, and then repeatedly, on whichever process is free. */
export async function workRepeatedly(
  jobs: JobQueue,
  database: Database,
  job: RecurringJob,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!jobs.takesWork) return;
  const enqueue = (startAfterSeconds: number): Promise<void> =>
    database.systemTransaction((tx) => jobs.enqueue(tx, job, {}, { startAfterSeconds }));
  await jobs.work(job, async (_data, signal) => {
    await work(signal);
    await enqueue(job.everySeconds);
  });
  await enqueue(0);
}
