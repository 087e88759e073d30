import { pino } from 'pino';
import { z } from 'zod';

import { newId } from '../common/ids.js';
import type { Database } from '../database/database.js';
import { openDatabase, type OpenDatabase } from '../database/open-database.js';
import { Metrics } from '../metrics/metrics.js';
import type { Job } from './job-queue.js';
import { PgBossJobQueue } from './pg-boss-job-queue.js';

const Data = z.object({ id: z.string() });
const jobNamed = (name: string): Job<z.output<typeof Data>> => ({ name, data: Data, keyOf: ({ id }) => id });
const sweep = jobNamed('sweep');
const mend = jobNamed('mend');
const repeat = jobNamed('repeat');
const logger = pino({ level: 'silent' });
const takingWork = { takesWork: true };

const inMemory = (): Promise<OpenDatabase> =>
  openDatabase({ database: { url: null, poolSize: 1 }, dataDir: null }, []);

const addCompany = async (database: Database): Promise<string> => {
  const id = newId();
  const sql = 'INSERT INTO company (id, slug, name) VALUES ($1, $2, $2)';
  await database.systemTransaction((tx) => tx.query(sql, [id, id]));
  return id;
};

describe('a queue', () => {
  let opened: OpenDatabase;
  let database: Database;
  let queue: PgBossJobQueue;
  let companyId: string;

  beforeAll(async () => {
    opened = await inMemory();
    ({ database } = opened);
    companyId = await addCompany(database);
    queue = await PgBossJobQueue.start(database, [sweep, mend, repeat], takingWork, logger, new Metrics());
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

  it('keeps one waiting job of a key, and none whose transaction is undone', async () => {
    await put(sweep, 'a', 'a', 'b');
    await put(sweep, 'a');
    const undone = database.transaction(companyId, async (tx) => {
      await queue.enqueue(tx, sweep, { id: 'c' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await states(sweep)).toEqual(['a created', 'b created']);
  });

  it('carries out what is due, several at a time, and offers again only what failed', async () => {
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

  it('lets whoever carries a job out put the same in line anew', async () => {
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

it('puts work in line and carries none out where this process takes none', async () => {
  const { database, close } = await inMemory();
  const companyId = await addCompany(database);
  const start = (takesWork: boolean): Promise<PgBossJobQueue> =>
    PgBossJobQueue.start(database, [sweep], { takesWork }, logger, new Metrics());
  const answering = await start(false);
  const seen: string[] = [];
  await answering.work(sweep, async ({ id }) => void seen.push(`${id} here`));
  await database.transaction(companyId, (tx) => answering.enqueue(tx, sweep, { id: 'a' }));
  const working = await start(true);
  const carriedOut = Promise.withResolvers<void>();
  await working.work(sweep, async ({ id }) => {
    seen.push(`${id} there`);
    carriedOut.resolve();
  });
  await carriedOut.promise;
  expect([answering.takesWork, working.takesWork, seen]).toEqual([false, true, ['a there']]);
  await working.stop();
  await answering.stop();
  await close();
});

it('leaves the one connection usable when its own tables cannot be made', async () => {
  const { database, close } = await inMemory();
  await database.dataSource.query('CREATE SCHEMA pgboss; CREATE TYPE pgboss.job_state AS ENUM ()');
  await expect(PgBossJobQueue.start(database, [sweep], takingWork, logger, new Metrics())).rejects.toThrow(
    /pgboss|does not exist/,
  );
  await expect(addCompany(database)).resolves.toHaveLength(36);
  await close();
});
