import { z } from 'zod';

import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { defineJob, definedJobs, recurringJob, workRepeatedly } from './job-queue.js';
import { MemoryJobQueue } from './memory-job-queue.double.js';

const sweep = recurringJob({ name: 'sweep', everySeconds: 3_600 });
const database = {
  systemTransaction: (work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as unknown as Database;

function delaysOf({ waiting }: MemoryJobQueue): number[] {
  return waiting.map(({ startAfterSeconds }) => startAfterSeconds);
}

it('is enqueued at once, and again after each run', async () => {
  const jobs = new MemoryJobQueue(true);
  let rounds = 0;
  await workRepeatedly(jobs, database, sweep, async () => {
    rounds += 1;
  });
  expect(delaysOf(jobs)).toEqual([0]);
  await jobs.carryOut('sweep', {});
  await jobs.carryOut('sweep', {});
  expect([rounds, delaysOf(jobs)]).toEqual([2, [0, 3_600, 3_600]]);
});

it('is not enqueued again after a failed run, which the queue retries', async () => {
  const jobs = new MemoryJobQueue(true);
  await workRepeatedly(jobs, database, sweep, () => Promise.reject(new Error('not this time')));
  await expect(jobs.carryOut('sweep', {})).rejects.toThrow('not this time');
  expect(delaysOf(jobs)).toEqual([0]);
});

it('is not enqueued by a process that runs no jobs', async () => {
  const jobs = new MemoryJobQueue(false);
  await workRepeatedly(jobs, database, sweep, async () => undefined);
  expect(delaysOf(jobs)).toEqual([]);
  await expect(jobs.carryOut('sweep', {})).rejects.toThrow('Nobody takes work');
});

it('waits at most once', () => {
  expect(sweep.keyOf({})).toBe('all');
});

it('is known once it is defined, so that its queue is made', () => {
  const mend = defineJob({ name: 'mend', data: z.object({ id: z.string() }), keyOf: ({ id }) => id });
  expect(definedJobs.map(({ name }) => name)).toEqual([sweep.name, mend.name]);
});
