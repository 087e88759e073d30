import { once } from 'node:events';

import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { z } from 'zod';

import { newId } from '../../src/common/ids.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import type { Job } from '../../src/platform/jobs/job-queue.js';
import { PgBossJobQueue } from '../../src/platform/jobs/pg-boss-job-queue.js';
import { createTestDatabase } from '../harness/test-database.js';

const Data = z.object({ id: z.string() });
function jobNamed(name: string): Job<z.output<typeof Data>> {
  return { name, data: Data, keyOf: ({ id }) => id };
}
const sweep = jobNamed('sweep');
const mend = jobNamed('mend');
const repeat = jobNamed('repeat');
const single = jobNamed('single');
const lasting: Job<z.output<typeof Data>> = {
  ...jobNamed('lasting'),
  atATime: 1,
  workers: { all: 3, ofOneCompany: 2, companyOf: ({ id }) => id[0] ?? '' },
};
const long = { ...jobNamed('long'), maxSeconds: 600 };
const logger = pino({ level: 'silent' });
const takingWork = { takesWork: true };

async function inMemory(): Promise<OpenDatabase> {
  return openDatabase((await createTestDatabase()).location, []);
}

async function addCompany(database: Database): Promise<string> {
  const id = newId();
  const sql = 'INSERT INTO company (id, slug, name) VALUES ($1, $2, $2)';
  await database.systemTransaction((tx) => tx.query(sql, [id, id]));
  return id;
}

describe('a queue', () => {
  let opened: OpenDatabase;
  let database: Database;
  let queue: PgBossJobQueue;
  let companyId: string;

  beforeAll(async () => {
    opened = await inMemory();
    ({ database } = opened);
    companyId = await addCompany(database);
    queue = await PgBossJobQueue.start(
      database,
      [sweep, mend, repeat, single, lasting, long],
      takingWork,
      logger,
      new Metrics(),
    );
  });
  afterAll(async () => {
    await queue.stop();
    await opened.close();
  });

  const put = (job: typeof sweep, ...ids: string[]): Promise<void> =>
    database.transaction(companyId, async (tx) => {
      for (const id of ids) await queue.enqueue(tx, job, { id });
    });

  const states = async ({ name }: typeof sweep): Promise<string[]> => {
    const rows = await database.dataSource.query<{ text: string }[]>(
      `SELECT concat(data->>'id', ' ', state) AS text FROM pgboss.job WHERE name = $1 ORDER BY 1`,
      [name],
    );
    return rows.map(({ text }) => text);
  };

  it('notices by the heartbeat that the process of a long job has died, and not after all of its time', async () => {
    await put(long, 'a');
    await put(sweep, 'a');
    const rows = await database.dataSource.query<object[]>(
      `SELECT name, expire_seconds AS most, heartbeat_seconds AS heartbeat FROM pgboss.job
       WHERE name IN ('long', 'sweep') ORDER BY name`,
    );
    expect(rows).toEqual([
      { name: 'long', most: 600, heartbeat: 15 },
      { name: 'sweep', most: 30, heartbeat: null },
    ]);
    await database.dataSource.query(`DELETE FROM pgboss.job WHERE name IN ('long', 'sweep')`);
  });

  it('refuses a job that it was not made for, instead of waiting for ever', async () => {
    const unknown = jobNamed('unknown');
    await expect(put(unknown, 'a')).rejects.toThrow('The job unknown has no queue');
    await expect(queue.work(unknown, async () => undefined)).rejects.toThrow('The job unknown has no queue');
  });

  it('keeps one waiting job of a key, and none of a transaction that is rolled back', async () => {
    await put(sweep, 'a', 'a', 'b');
    await put(sweep, 'a');
    const undone = database.transaction(companyId, async (tx) => {
      await queue.enqueue(tx, sweep, { id: 'c' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await states(sweep)).toEqual(['a created', 'b created']);
  });

  it('keeps a job for as long as it may have to be tried', async () => {
    await put(sweep, 'kept');
    const [job] = await database.dataSource.query<{ isKept: boolean }[]>(
      `SELECT keep_until > now() + interval '9 years' AS "isKept" FROM pgboss.job
       WHERE name = $1 AND data->>'id' = 'kept'`,
      [sweep.name],
    );
    expect(job).toEqual({ isKept: true });
  });

  it('runs due jobs, several at a time, and retries only those that failed', async () => {
    const seen: string[] = [];
    const last = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    await put(mend, 'a', 'b', 'c');
    await queue.work(mend, async ({ id }) => {
      seen.push(id);
      if (id === 'c') last.resolve();
      // The first waits for the last: they are carried out at the same time.
      if (id === 'a') await last.promise;
      if (id !== 'b') return;
      if (seen.filter((each) => each === 'b').length === 1) throw new Error('not this time');
      again.resolve();
    });
    await again.promise;
    expect(seen.toSorted()).toEqual(['a', 'b', 'b', 'c']);
    expect(await states(mend)).toEqual(expect.arrayContaining(['a completed', 'c completed']));
  });

  it('takes the next job as soon as one is done, also where a worker takes one at a time', async () => {
    const done: string[] = [];
    const all = Promise.withResolvers<void>();
    // One a poll would take longer than a test may.
    const ids = Array.from({ length: 100 }, (_, at) => `${at}`);
    await put(single, ...ids);
    await queue.work({ ...single, atATime: 1 }, async ({ id }) => {
      if (done.push(id) === ids.length) all.resolve();
    });
    await all.promise;
    expect(new Set(done)).toEqual(new Set(ids));
  });

  it('leaves a worker for others, however many jobs of one company do not end', async () => {
    const begun: string[] = [];
    const other = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const all = Promise.withResolvers<void>();
    await put(lasting, 'a1', 'a2', 'a3', 'a4');
    await queue.work(lasting, async ({ id }) => {
      if (begun.push(id) === 5) all.resolve();
      if (id === 'b1') other.resolve();
      else await end.promise;
    });
    await put(lasting, 'b1');
    await other.promise;
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1']);
    end.resolve();
    await all.promise;
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('lets a running job enqueue itself again', async () => {
    const again = Promise.withResolvers<void>();
    let rounds = 0;
    await put(repeat, 'a');
    await queue.work(repeat, async ({ id }) => {
      rounds += 1;
      if (rounds === 1) await put(repeat, id);
      else again.resolve();
    });
    await again.promise;
    expect(rounds).toBe(2);
  });
});

it('runs jobs that an earlier version enqueued long ago', async () => {
  const { database, close } = await inMemory();
  const companyId = await addCompany(database);
  const start = (): Promise<PgBossJobQueue> =>
    PgBossJobQueue.start(database, [sweep, mend], { takesWork: true }, logger, new Metrics());
  const earlier = await start();
  const put = (queue: PgBossJobQueue, id: string): Promise<void> =>
    database.transaction(companyId, (tx) => queue.enqueue(tx, sweep, { id }));
  await put(earlier, 'waiting');
  await put(earlier, 'retried');
  await earlier.stop();
  // As pg-boss has it by itself.
  await database.dataSource.query(`
    UPDATE pgboss.queue SET retention_seconds = 14 * 86400;
    UPDATE pgboss.job SET created_on = now() - interval '400 days', start_after = now() - interval '400 days',
      keep_until = now() - interval '386 days';
    UPDATE pgboss.job SET state = 'retry' WHERE data ->> 'id' = 'retried'`);
  const queue = await start();
  await put(queue, 'new');
  const executeSql = async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    const runner = database.dataSource.createQueryRunner();
    const { records } = await runner.query(text, values, true).finally(() => runner.release());
    return { rows: (records as unknown[] | undefined) ?? [] };
  };
  const cleaning = new PgBoss({ db: { executeSql }, backend: 'pglite', supervise: false, schedule: false });
  await cleaning.start();
  await database.dataSource.query(`UPDATE pgboss.queue SET maintain_on = NULL, monitor_on = NULL`);
  await cleaning.supervise();
  await cleaning.stop();
  const pieces = ['waiting', 'retried', 'new', 'gone'].map((id) => ({ id }));
  expect(await queue.listMissing(sweep, pieces)).toEqual([{ id: 'gone' }]);
  expect(await queue.listMissing(mend, [{ id: 'new' }])).toEqual([{ id: 'new' }]);
  const done = new Set<string>();
  const all = Promise.withResolvers<void>();
  await queue.work(sweep, async ({ id }) => {
    if (done.add(id).size === 3) all.resolve();
  });
  await all.promise;
  await queue.stop();
  await close();
});

it('gives a queue that is there the options of today, and leaves the others as they are', async () => {
  const { database, close } = await inMemory();
  const start = (): Promise<PgBossJobQueue> =>
    PgBossJobQueue.start(database, [sweep, mend], { takesWork: false }, logger, new Metrics());
  const queues = (): Promise<object[]> =>
    database.dataSource.query(
      `SELECT name, retention_seconds, updated_on FROM pgboss.queue WHERE name IN ('sweep', 'mend') ORDER BY name`,
    );
  await (await start()).stop();
  const [mended, swept] = await queues();
  await database.dataSource.query(`UPDATE pgboss.queue SET retention_seconds = 60 WHERE name = 'sweep'`);
  await (await start()).stop();
  const { updated_on: _, ...options } = swept as { updated_on: Date };
  expect(await queues()).toEqual([mended, expect.objectContaining(options)]);
  await close();
});

it('runs what another process enqueues that runs none', async () => {
  const { database, close } = await inMemory();
  const companyId = await addCompany(database);
  const start = (takesWork: boolean): Promise<PgBossJobQueue> =>
    PgBossJobQueue.start(database, [sweep], { takesWork }, logger, new Metrics());
  const answering = await start(false);
  const enqueue = (id: string): Promise<void> =>
    database.transaction(companyId, (tx) => answering.enqueue(tx, sweep, { id }));
  const seen: string[] = [];
  await answering.work(sweep, async ({ id }) => void seen.push(`${id} here`));
  await enqueue('first');
  const working = await start(true);
  const carriedOut = { first: Promise.withResolvers<void>(), later: Promise.withResolvers<void>() };
  await working.work(sweep, async ({ id }) => {
    seen.push(`${id} there`);
    carriedOut[id as keyof typeof carriedOut].resolve();
  });
  await carriedOut.first.promise;
  await enqueue('later');
  await carriedOut.later.promise;
  expect([answering.takesWork, working.takesWork]).toEqual([false, true]);
  expect(seen).toEqual(['first there', 'later there']);
  await working.stop();
  await answering.stop();
  await close();
});

it('calls no job failed that is left off because the process stops', async () => {
  const { database, close } = await inMemory();
  const companyId = await addCompany(database);
  const lines: { level: string; msg: string }[] = [];
  const logger = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  const queue = await PgBossJobQueue.start(database, [sweep], takingWork, logger, new Metrics());
  const begun = Promise.withResolvers<void>();
  await database.transaction(companyId, (tx) => queue.enqueue(tx, sweep, { id: 'a' }));
  await queue.work(sweep, async (_data, signal) => {
    begun.resolve();
    await once(signal, 'abort');
    signal.throwIfAborted();
  });
  await begun.promise;
  await queue.stop();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['info', 'job left off; it will be offered again'],
  ]);
  await close();
});

it('leaves the one connection usable when its own tables cannot be made', async () => {
  const { database, close } = await inMemory();
  await database.dataSource.query(
    'DROP SCHEMA pgboss CASCADE; CREATE SCHEMA pgboss; CREATE TYPE pgboss.job_state AS ENUM ()',
  );
  await expect(PgBossJobQueue.start(database, [sweep], takingWork, logger, new Metrics())).rejects.toThrow(
    /pgboss|does not exist/,
  );
  await expect(addCompany(database)).resolves.toHaveLength(36);
  await close();
});
