import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { type Job, JobQueue } from './job-queue.js';
import { recurringJob, workEverySoOften } from './recurring-job.js';

const sweep = recurringJob({ name: 'sweep', everySeconds: 3_600 });
const database = {
  systemTransaction: (work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
} as unknown as Database;

/** Notes what is put in line, by when it is due, and carries it out when it is asked to. */
class NotingQueue extends JobQueue {
  readonly delays: (number | undefined)[] = [];
  carryOut: () => Promise<void> = () => Promise.reject(new Error('Nobody takes work.'));

  constructor(override readonly takesWork: boolean) {
    super();
  }

  override async enqueue<Data extends object>(
    _tx: Transaction,
    _job: Job<Data>,
    _data: Data,
    { startAfterSeconds }: { startAfterSeconds?: number } = {},
  ): Promise<void> {
    this.delays.push(startAfterSeconds);
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.carryOut = () => handle(job.data.parse({}), AbortSignal.timeout(1_000));
  }
}

it('is put in line at once, and after each round for the next one', async () => {
  const jobs = new NotingQueue(true);
  let rounds = 0;
  await workEverySoOften(jobs, database, sweep, async () => {
    rounds += 1;
  });
  expect(jobs.delays).toEqual([0]);
  await jobs.carryOut();
  await jobs.carryOut();
  expect([rounds, jobs.delays]).toEqual([2, [0, 3_600, 3_600]]);
});

it('is not put in line for later by a round that fails: the queue offers it again itself', async () => {
  const jobs = new NotingQueue(true);
  await workEverySoOften(jobs, database, sweep, () => Promise.reject(new Error('not this time')));
  await expect(jobs.carryOut()).rejects.toThrow('not this time');
  expect(jobs.delays).toEqual([0]);
});

it('is left to others by a process that takes no work', async () => {
  const jobs = new NotingQueue(false);
  await workEverySoOften(jobs, database, sweep, async () => undefined);
  expect(jobs.delays).toEqual([]);
  await expect(jobs.carryOut()).rejects.toThrow('Nobody takes work.');
});

it('waits once at most', () => {
  expect(sweep.keyOf({})).toBe('all');
});
