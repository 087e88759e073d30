import type { Transaction } from '../../../platform/database/transaction.js';
import { MemoryJobQueue } from '../../../platform/jobs/memory-job-queue.double.js';
import { ListUpkeep } from './list-upkeep.service.js';

const tx = { companyId: 'nord' } as Transaction;
const scope = { id: 7, itemCount: 10, totalLength: 1_000, tailLength: 1_000, deadCount: 0 };

/** The job that a change of a scope enqueues, and its delay in seconds. */
async function linedUp(change: Partial<typeof scope>): Promise<unknown[]> {
  const jobs = new MemoryJobQueue();
  await new ListUpkeep(jobs).enqueueDue(tx, { ...scope, ...change });
  return jobs.waiting.map(({ name, data, startAfterSeconds }) => {
    expect(data).toEqual({ companyId: 'nord', scopeId: 7 });
    return [name, startAfterSeconds];
  });
}

it.each<[string, Partial<typeof scope>, unknown[]]>([
  ['a small scope', {}, []],
  ['as much pending as lists are worth', { tailLength: 50_001 }, [['index-search', 0]]],
  ['as much pending of a large scope', { totalLength: 10_000_000, tailLength: 50_001 }, []],
  ['a fiftieth of a large scope', { totalLength: 10_000_000, tailLength: 200_001 }, [['index-search', 0]]],
  ['less than that of a huge one', { totalLength: 1e9, tailLength: 500_001 }, [['index-search', 0]]],
  ['something gone', { deadCount: 1 }, [['compact-search', 60]]],
  ['something gone from a large scope', { deadCount: 1, itemCount: 10_000 }, [['compact-search', 200]]],
  ['something gone from a huge one', { deadCount: 1, itemCount: 10_000_000 }, [['compact-search', 3600]]],
])('%s: what has to be done', async (_, change, jobs) => {
  expect(await linedUp(change)).toEqual(jobs);
});
