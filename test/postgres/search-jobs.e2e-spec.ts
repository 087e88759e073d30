import { pino } from 'pino';

import { newId } from '../../src/common/ids.js';
import type { JobQueue } from '../../src/platform/jobs/job-queue.js';
import { PgBossJobQueue } from '../../src/platform/jobs/pg-boss-job-queue.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import {
  compactSearch,
  indexSearch,
  type ListedScope,
} from '../../src/documents/search-index/lists/list-upkeep.service.js';
import { ListWorkers } from '../../src/documents/search-index/lists/list-workers.service.js';
import type { SearchScope } from '../../src/documents/search-index/search.js';
import { SearchWorld } from '../harness/search-world.js';

let world: SearchWorld;
let queue: PgBossJobQueue;
/** Resolved with the next job of its kind that is done. */
const done = { index: Promise.withResolvers<ListedScope>(), compact: Promise.withResolvers<ListedScope>() };

/** What works on the lists, and tells when it has. */
function workOf(jobs: JobQueue): ListWorkers {
  return new ListWorkers(
    jobs,
    {
      index: async (scope: ListedScope, signal: AbortSignal) => {
        await world.indexing.index(scope, signal);
        done.index.resolve(scope);
      },
    } as typeof world.indexing,
    {
      compact: async (scope: ListedScope, signal: AbortSignal) => {
        await world.compaction.compact(scope, signal);
        done.compact.resolve(scope);
      },
    } as typeof world.compaction,
  );
}

beforeAll(async () => {
  world = await SearchWorld.start();
  queue = await PgBossJobQueue.start(
    world.database,
    [indexSearch, compactSearch],
    { takesWork: true },
    pino({ level: 'silent' }),
    new Metrics(),
  );
});
afterAll(async () => {
  await queue.stop();
  await world[Symbol.asyncDispose]();
});

/** Puts in line what the world's index has put in line, but for its delays. */
async function passOn(): Promise<void> {
  await world.database.transaction(world.companyId, async (tx) => {
    for (const { name, data } of world.jobs.waiting.splice(0)) {
      const job = name === indexSearch.name ? indexSearch : compactSearch;
      await queue.enqueue(tx, job, data as ListedScope);
    }
  });
}

it('what is put in goes into the lists by itself, and what is gone out of them', async () => {
  const scope: SearchScope = { collection: 'PASSAGE', ownerId: null };
  const texts = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [newId(), `Passage ${index} sur le bilan carbone. `.repeat(8)]),
  );
  const [gone = ''] = Object.keys(texts);
  await workOf(queue).onApplicationBootstrap();
  await world.put(scope, texts);
  expect(world.jobs.waiting.map(({ name }) => name)).toEqual(['index-search']);
  await passOn();
  const scopeId = await world.scopeId(scope);
  expect(await done.index.promise).toEqual({ companyId: world.companyId, scopeId });
  expect(await stateOf(scopeId)).toEqual({ tail: 0, dead: 0, listed: 600 });

  await world.remove(scope, [gone]);
  expect(world.jobs.waiting.map(({ name }) => name)).toEqual(['compact-search']);
  await passOn();
  await done.compact.promise;
  expect(await stateOf(scopeId)).toEqual({ tail: 0, dead: 0, listed: 599 });
  expect(await world.find('Passage 17', { scopes: [scope], limit: 1 })).toEqual([Object.keys(texts)[17]]);
});

/** The length of the tail, how many are gone and still in the lists, and how many items have the word `carbone`. */
function stateOf(scopeId: number): Promise<object> {
  return world.database.read(world.companyId, async (tx) => {
    const state = await world.lists.find(tx, scopeId);
    const lists = await world.lists.listLists(tx, scopeId, -(2 ** 31), 100_000);
    return {
      tail: state?.tailLength,
      dead: state?.deadCount,
      listed: Math.max(...lists.map(({ df }) => df)),
    };
  });
}
