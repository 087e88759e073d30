import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { entities } from '../../src/app/entities.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

onServer('a database with settings of its own', () => {
  let testDatabase: TestDatabase;
  let opened: OpenDatabase;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const url = testDatabase.location.database.url ?? '';
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`
      CREATE SCHEMA app;
      CREATE TYPE app.kind AS ENUM ('one');
      ALTER DATABASE ${name} SET search_path = app, public;
      ALTER DATABASE ${name} SET datestyle = 'SQL, DMY';
      ALTER DATABASE ${name} SET intervalstyle = 'iso_8601';
      ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    await admin.end();
    opened = await openDatabase(testDatabase.location, entities);
  });
  afterAll(async () => {
    await opened.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  const value = async (sql: string): Promise<unknown> => {
    const [row] = await opened.database.dataSource.query<{ value: unknown }[]>(`SELECT ${sql} AS value`);
    return row?.value;
  };

  it('gets its tables into public, and is at the newest migration again', async () => {
    expect(await value(`(SELECT count(*)::int FROM pg_tables WHERE schemaname = 'app')`)).toBe(0);
    const again = await openDatabase(testDatabase.location, entities);
    await again.close();
  });

  it('is waited for while another process migrates it, however short its timeouts, which hold afterwards', async () => {
    const other = new pg.Client({ connectionString: testDatabase.location.database.url ?? '' });
    await other.connect();
    const name = new URL(testDatabase.location.database.url ?? '').pathname.slice(1);
    await other.query(`ALTER DATABASE ${name} SET statement_timeout = '400ms'`);
    await other.query(`ALTER DATABASE ${name} SET lock_timeout = '200ms'`);
    await other.query('SELECT pg_advisory_lock(7265116201)');
    const opening = openDatabase(testDatabase.location, entities);
    await Promise.race([opening.catch(() => undefined), sleep(1_200)]);
    await other.end();
    const again = await opening;
    const [row] = await again.database.dataSource.query<unknown[]>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
    );
    await again.close();
    expect(row).toEqual({ statement: '400ms', lock: '200ms' });
  });

  it('has types of other schemas in the path found', async () => {
    expect(await value(`'one'::kind::text`)).toBe('one');
  });

  it('is read as every other one', async () => {
    expect(await value(`'2026-11-05T10:00:00Z'::timestamptz`)).toEqual(new Date('2026-11-05T10:00:00Z'));
    expect(await value(`(interval '1 hour')::text`)).toBe('01:00:00');
    const isolation = `current_setting('transaction_isolation')`;
    expect(await value(isolation)).toBe('read committed');
    const inTransaction = await opened.database.systemTransaction((tx) =>
      tx.query(`SELECT ${isolation} AS value`),
    );
    expect(inTransaction).toEqual([{ value: 'read committed' }]);
  });
});
