import { z } from 'zod';

import type { Database } from '../database/database.js';
import type { Job, JobQueue } from './job-queue.js';

/** Work of the whole installation that is done again and again: of however many replicas, one such job waits at most. */
export interface RecurringJob extends Job<object> {
  /** From the end of one round to the beginning of the next. */
  readonly everySeconds: number;
}

export const recurringJob = (job: Pick<RecurringJob, 'name' | 'everySeconds'>): RecurringJob => ({
  ...job,
  data: z.object({}),
  keyOf: () => 'all',
});

/** Has `round` carried out as soon as this process takes work, and then every so often, by whichever one is free. */
export const workEverySoOften = async (
  jobs: JobQueue,
  database: Database,
  job: RecurringJob,
  round: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  if (!jobs.takesWork) return;
  const putInLine = (startAfterSeconds: number): Promise<void> =>
    database.systemTransaction((tx) => jobs.enqueue(tx, job, {}, { startAfterSeconds }));
  await jobs.work(job, async (_data, signal) => {
    await round(signal);
    await putInLine(job.everySeconds);
  });
  await putInLine(0);
};
