import { pino } from 'pino';
import { countPostings, firstOrdinalOf, listsOfBlock } from '@palabre/lexical';

import { newId } from '../../src/common/ids.js';
import { OwedWork } from '../../src/companies/owed-work.service.js';
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
let owedWork: OwedWork;
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
    world.lists,
    owedWork,
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
  owedWork = new OwedWork(world.database, queue, pino({ level: 'silent' }));
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

it('lists of before, a row each, are found and come into blocks', async () => {
  const scope: SearchScope = { collection: 'MEMORY', ownerId: null };
  const ids = Array.from({ length: 40 }, () => newId());
  await world.put(scope, Object.fromEntries(ids.map((id, index) => [id, `Relevé ${index} de la chaudière`])));
  await world.takeIn(scope);
  const scopeId = await world.scopeId(scope);
  await inRows(scopeId);
  expect((await storedOf(scopeId)).blocks).toEqual([]);
  const findLast = (): Promise<string[]> => world.find('relevé 17', { scopes: [scope], limit: 1 });
  expect(await findLast()).toEqual([ids[17]]);
  done.compact = Promise.withResolvers();
  await owedWork.sweepAll(new AbortController().signal);
  expect(await done.compact.promise).toEqual({ companyId: world.companyId, scopeId });
  const { lists, blocks } = await storedOf(scopeId);
  expect(lists).toEqual([]);
  expect(blocks.flatMap(listsOfBlock).length).toBeGreaterThan(40);
  expect(await findLast()).toEqual([ids[17]]);
  expect(
    (await world.database.read(world.companyId, (tx) => world.lists.find(tx, scopeId)))?.compaction,
  ).toBeNull();
});

function storedOf(scopeId: number) {
  return world.database.read(world.companyId, (tx) =>
    world.lists.listLists(tx, scopeId, -(2 ** 31), 100_000),
  );
}

/** As a migration from before there were blocks leaves it. */
async function inRows(scopeId: number): Promise<void> {
  const { blocks } = await storedOf(scopeId);
  const lists = blocks.flatMap(listsOfBlock);
  await world.database.transaction(world.companyId, async (tx) => {
    await tx.query('DELETE FROM search_list_block WHERE scope_id = $1', [scopeId]);
    await tx.query(
      `INSERT INTO search_list (company_id, scope_id, term, df, first_ordinal, data)
       SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::int[], $6::bytea[])`,
      [
        tx.companyId,
        scopeId,
        lists.map(({ term }) => term),
        lists.map(({ data }) => countPostings(data)),
        lists.map(({ data }) => firstOrdinalOf(data)),
        lists.map(({ data }) => data),
      ],
    );
    await world.lists.keepCompaction(tx, scopeId, { term: -(2 ** 31), deadCount: 0 });
  });
}

/** The length of the tail, how many are gone and still in the lists, and how many items have the word `carbone`. */
function stateOf(scopeId: number): Promise<object> {
  return world.database.read(world.companyId, async (tx) => {
    const state = await world.lists.find(tx, scopeId);
    const { lists } = await world.lists.listLists(tx, scopeId, -(2 ** 31), 100_000);
    return {
      tail: state?.tailLength,
      dead: state?.deadCount,
      listed: Math.max(...lists.map(({ df }) => df)),
    };
  });
}
