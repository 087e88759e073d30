import type pg from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { newId } from '../../src/common/ids.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { TransactionConnection } from '../../src/platform/database/transaction-connection.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { PausableProxy } from '../harness/pausable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const prompt = { prompt: true };

onServer('a connection that falls silent', () => {
  let testDatabase: TestDatabase;
  let proxy: PausableProxy;
  let opened: OpenDatabase;
  let database: Database;
  let logged: string[];

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    proxy = await PausableProxy.to(testDatabase.location.database.url ?? '');
    logged = [];
    const { location } = testDatabase;
    const note = (_fields: object, message: string): void => void logged.push(message);
    const logger = { info: note, warn: note } as unknown as Parameters<typeof openDatabase>[2];
    opened = await openDatabase({ ...location, database: { url: proxy.url, poolSize: 4 } }, [], logger);
    ({ database } = opened);
    // What there was to say of the database itself.
    logged.length = 0;
  });

  afterEach(async () => {
    await opened.close();
    await proxy[Symbol.asyncDispose]();
    await testDatabase[Symbol.asyncDispose]();
  });

  const pool = (): pg.Pool => (database.dataSource.driver as PostgresDriver).master as pg.Pool;

  const ask = (tx: Transaction): Promise<unknown[]> => tx.query('SELECT $1::integer AS n', [1]);

  const unavailable = { code: 'UNAVAILABLE' };

  it('fails what waits for it, and the next one gets through', async () => {
    const failed = database.transaction(
      newId(),
      async (tx) => {
        await ask(tx);
        proxy.forget();
        await ask(tx);
      },
      prompt,
    );
    await expect(failed).rejects.toMatchObject(unavailable);
    expect(await database.transaction(newId(), ask)).toEqual([{ n: 1 }]);
    expect(logged).toEqual(['the database cannot be reached', 'the database is back']);
  });

  it('fails a COMMIT that is not answered', async () => {
    let isCommitted = false;
    const failed = database.systemTransaction(
      async (tx) => {
        tx.afterCommit(() => (isCommitted = true));
        await ask(tx);
        proxy.forget();
      },
      { ahead: true },
    );
    await expect(failed).rejects.toMatchObject(unavailable);
    expect(isCommitted).toBe(false);
    await database.systemTransaction(ask, { ahead: true });
  });

  it('is found out as soon as a transaction begins on it, with those that nobody uses', async () => {
    const idle = Array.from({ length: 4 }, () => pool().connect());
    for (const client of await Promise.all(idle)) client.release();
    proxy.forget();
    // Whatever it is for: its beginning waits for nothing.
    await expect(database.read(newId(), ask)).rejects.toMatchObject(unavailable);
    const all = Array.from({ length: 4 }, () => database.transaction(newId(), ask));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 4 }, () => [{ n: 1 }]));
    expect(logged).toEqual(['the database cannot be reached', 'the database is back']);
  });

  it('is not taken for one whose answer this process was too busy to read', async () => {
    // Past the network, which is in this process and as busy.
    await opened.close();
    opened = await openDatabase(testDatabase.location, []);
    ({ database } = opened);
    // What there was to say of the database itself.
    logged.length = 0;
    const opening = `BEGIN; SET LOCAL palabre.company_id = '${newId()}'`;
    const connection = new TransactionConnection(await pool().connect(), opening, () => null, 50);
    await connection.query('SELECT 1');
    const answer = connection.query('SELECT 2 AS n');
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntil = performance.now() + 500;
    while (performance.now() < busyUntil);
    expect((await answer).rows).toEqual([{ n: 2 }]);
    await connection.commit();
    connection.release();
  });

  it('does not keep the database from being closed', async () => {
    const silent = Promise.withResolvers<void>();
    const failed = database.transaction(newId(), async (tx) => {
      await ask(tx);
      proxy.forget();
      silent.resolve();
      await ask(tx);
    });
    const outcome = failed.catch((error: unknown) => error);
    await silent.promise;
    await opened.close();
    expect(await outcome).toMatchObject(unavailable);
    opened = await openDatabase(testDatabase.location, []);
  });
});
