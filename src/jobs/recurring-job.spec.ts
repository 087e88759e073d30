import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { MemoryJobQueue } from './memory-job-queue.js';
import { recurringJob, workEverySoOften } from './recurring-job.js';

const sweep = recurringJob({ name: 'sweep', everySeconds: 3_600 });
const database = {
  systemTransaction: (work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as unknown as Database;

const delaysOf = ({ waiting }: MemoryJobQueue): number[] =>
  waiting.map(({ startAfterSeconds }) => startAfterSeconds);

it('is put in line at once, and after each round for the next one', async () => {
  const jobs = new MemoryJobQueue(true);
  let rounds = 0;
  await workEverySoOften(jobs, database, sweep, async () => {
    rounds += 1;
  });
  expect(delaysOf(jobs)).toEqual([0]);
  await jobs.carryOut('sweep', {});
  await jobs.carryOut('sweep', {});
  expect([rounds, delaysOf(jobs)]).toEqual([2, [0, 3_600, 3_600]]);
});

it('is not put in line for later by a round that fails: the queue offers it again itself', async () => {
  const jobs = new MemoryJobQueue(true);
  await workEverySoOften(jobs, database, sweep, () => Promise.reject(new Error('not this time')));
  await expect(jobs.carryOut('sweep', {})).rejects.toThrow('not this time');
  expect(delaysOf(jobs)).toEqual([0]);
});

it('is left to others by a process that takes no work', async () => {
  const jobs = new MemoryJobQueue(false);
  await workEverySoOften(jobs, database, sweep, async () => undefined);
  expect(delaysOf(jobs)).toEqual([]);
  await expect(jobs.carryOut('sweep', {})).rejects.toThrow('Nobody takes work');
});

it('waits once at most', () => {
  expect(sweep.keyOf({})).toBe('all');
});
