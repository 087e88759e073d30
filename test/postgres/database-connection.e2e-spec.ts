import type pg from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { newId } from '../../src/common/ids.js';
import { Company } from '../../src/companies/company.repository.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { TransactionConnection } from '../../src/platform/database/transaction-connection.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { location } = testDatabase;
  // The fewest connections there may be, so that one that is lost or kept is missed.
  opened = await openDatabase({ ...location, database: { ...location.database, poolSize: 2 } }, [Company]);
  ({ database } = opened);
  await database.dataSource.query(`
    CREATE TABLE probe (n integer NOT NULL UNIQUE);
    GRANT SELECT, INSERT ON probe TO palabre_app, palabre_system`);
});

afterAll(async () => {
  await opened.close();
  await testDatabase[Symbol.asyncDispose]();
});

beforeEach(() => database.dataSource.query('DELETE FROM probe'));

function pool(): pg.Pool {
  return (database.dataSource.driver as PostgresDriver).master as pg.Pool;
}

function insert(tx: Transaction, n: number): Promise<{ n: number }[]> {
  return tx.query('INSERT INTO probe VALUES ($1) RETURNING n', [n]);
}

async function stored(): Promise<number[]> {
  const rows = await database.dataSource.query<{ n: number }[]>('SELECT n FROM probe ORDER BY n');
  return rows.map(({ n }) => n);
}

function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(newId(), work);
}

function company(): Pick<Company, 'id' | 'slug' | 'name'> {
  const id = newId();
  return { id, slug: `c-${id}`, name: 'One' };
}

describe('a transaction', () => {
  it('is its company’s from the first statement on', async () => {
    const companyId = newId();
    const sql = `SELECT current_user AS role, current_setting('palabre.company_id') AS company,
      current_setting('statement_timeout') AS timeout`;
    const expected = [{ role: 'palabre_app', company: companyId, timeout: '30s' }];
    const seen = await database.transaction(companyId, (tx) =>
      Promise.all([tx.query(sql), tx.query(`${sql} WHERE $1`, [true])]),
    );
    expect(seen).toEqual([expected, expected]);
    const after = await database.dataSource.query('SELECT current_user AS role');
    expect(after).not.toEqual([expect.objectContaining({ role: 'palabre_app' })]);
  });

  it('gives statements put off together their own results', async () => {
    expect(
      await inTransaction((tx) =>
        Promise.all([
          insert(tx, 1),
          tx.query(`SELECT 'plain' AS a`),
          insert(tx, 2),
          tx.query('SELECT n FROM probe WHERE n < $1 ORDER BY n', [3]),
          tx.query('SELECT n FROM probe WHERE n > $1', [3]),
        ]),
      ),
    ).toEqual([[{ n: 1 }], [{ a: 'plain' }], [{ n: 2 }], [{ n: 1 }, { n: 2 }], []]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('with a failed statement among others under way is rolled back, and its connection is used again', async () => {
    const failed = inTransaction((tx) =>
      Promise.all([insert(tx, 1), tx.query('SELECT 1 / $1::integer', [0]), insert(tx, 2), insert(tx, 3)]),
    );
    await expect(failed).rejects.toThrow('division by zero');
    expect(await stored()).toEqual([]);
    await Promise.all([inTransaction((tx) => insert(tx, 4)), inTransaction((tx) => insert(tx, 5))]);
    expect(await stored()).toEqual([4, 5]);
    expect(pool().waitingCount).toBe(0);
  });

  it('is not taken for stored when the error of a statement was caught', async () => {
    let wasCommitted = false;
    const swallowed = inTransaction(async (tx) => {
      tx.afterCommit(() => (wasCommitted = true));
      await insert(tx, 1);
      await tx.query('SELECT 1 / $1::integer', [0]).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('nothing of it is stored');
    expect(wasCommitted).toBe(false);
    expect(await stored()).toEqual([]);
  });

  it('lets no statement through that comes after its end', async () => {
    const late = Promise.withResolvers<unknown>();
    const failed = inTransaction(async (tx) => {
      await insert(tx, 1);
      // As another branch of a Promise.all does, when its own first step is answered after the failure.
      setImmediate(() => late.resolve(insert(tx, 2)));
      throw new Error('of the work');
    });
    const refusal = late.promise.catch((error: unknown) => error);
    await expect(failed).rejects.toThrow('of the work');
    expect(String(await refusal)).toMatch('after the end');
    let kept: Transaction | null = null;
    await inTransaction(async (tx) => {
      kept = tx;
    });
    await expect(insert(kept!, 3)).rejects.toThrow('after the end');
    expect(await stored()).toEqual([]);
  });

  it('at once has all that is put off without waiting for an answer, and nothing that comes later', async () => {
    const read = database.readAtOnce(newId(), (tx) =>
      Promise.all([
        tx.query(`SELECT current_user AS role`),
        tx.query('SELECT $1::integer AS n', [2]),
        insert(tx, 1),
      ]),
    );
    expect(await read).toEqual([[{ role: 'palabre_app' }], [{ n: 2 }], [{ n: 1 }]]);
    // It reads: whatever it writes is nobody's.
    expect(await stored()).toEqual([]);
    const late = database.readAtOnce(newId(), async (tx) => {
      await tx.query('SELECT 1');
      // The embedded database answers within the round.
      await new Promise(setImmediate);
      return tx.query('SELECT 2');
    });
    await expect(late).rejects.toThrow('after the end');
    const failed = database.readAtOnce(newId(), (tx) => tx.query('SELECT 1 / $1::integer', [0]));
    await expect(failed).rejects.toThrow('division by zero');
    const broken = database.readAtOnce(newId(), () => {
      throw new Error('of the work');
    });
    await expect(broken).rejects.toThrow('of the work');
    expect(await inTransaction((tx) => insert(tx, 2))).toEqual([{ n: 2 }]);
    expect(pool().waitingCount).toBe(0);
  });

  it('sends what is kept for its end after all else, and is stored with it or not at all', async () => {
    const sql = 'INSERT INTO probe SELECT coalesce(max(n), 0) + $1 FROM probe';
    await inTransaction(async (tx) => {
      tx.last(sql, [10]);
      tx.last(sql, [10]);
      await insert(tx, 1);
    });
    expect(await stored()).toEqual([1, 11, 21]);
    await database.systemTransaction(
      (tx) => {
        tx.last(sql, [10]);
        return insert(tx, 31);
      },
      { atOnce: true },
    );
    expect(await stored()).toEqual([1, 11, 21, 31, 41]);
    let wasCommitted = false;
    const failed = inTransaction(async (tx) => {
      tx.afterCommit(() => (wasCommitted = true));
      tx.last('SELECT 1 / $1::integer', [0]);
      await insert(tx, 2);
    });
    await expect(failed).rejects.toThrow('division by zero');
    const given = inTransaction(async (tx) => {
      tx.last(sql, [10]);
      throw new Error('of the work');
    });
    await expect(given).rejects.toThrow('of the work');
    expect(wasCommitted).toBe(false);
    expect(await stored()).toEqual([1, 11, 21, 31, 41]);
  });

  it('that only reads keeps nothing for its end', async () => {
    const keep = async (tx: Transaction): Promise<void> => tx.last('INSERT INTO probe VALUES ($1)', [1]);
    await expect(database.read(newId(), keep)).rejects.toThrow('no end to keep a statement for');
    await expect(database.readAtOnce(newId(), keep)).rejects.toThrow('no end to keep a statement for');
    expect(await stored()).toEqual([]);
  });

  it('of the installation is stored at once, or not at all', async () => {
    const order: string[] = [];
    const storeAll = (...numbers: number[]) =>
      database.systemTransaction(
        async (tx) => {
          tx.afterCommit(() => order.push('committed'));
          await Promise.all(numbers.map((n) => tx.query('INSERT INTO probe VALUES (8 / $1::integer)', [n])));
          order.push('answered');
        },
        { ahead: true, atOnce: true },
      );
    await storeAll(8, 4);
    expect(order.splice(0)).toEqual(['answered', 'committed']);
    expect(await stored()).toEqual([1, 2]);
    await expect(storeAll(2, 0, 1)).rejects.toThrow('division by zero');
    const broken = database.systemTransaction(
      async (tx) => {
        const storing = tx.query('INSERT INTO probe VALUES (3)');
        // What fails without having to wait for the database fails before its end is sent.
        await Promise.all([storing, Promise.resolve().then(() => JSON.parse('{'))]);
      },
      { ahead: true, atOnce: true },
    );
    await expect(broken).rejects.toThrow(SyntaxError);
    const atFirst = database.systemTransaction(
      () => {
        throw new Error('of the work');
      },
      { ahead: true, atOnce: true },
    );
    await expect(atFirst).rejects.toThrow('of the work');
    expect(order).toEqual([]);
    expect(await stored()).toEqual([1, 2]);
    await storeAll(2);
    expect(await stored()).toEqual([1, 2, 4]);
  });

  it('is the one that repositories work in', async () => {
    const one = company();
    const failed = database.systemTransaction(async (tx) => {
      await tx.repository(Company).insert(one);
      await tx.repository(Company).insert(company());
      throw new Error('of the work');
    });
    await expect(failed).rejects.toThrow('of the work');
    const find = (id: string) => database.transaction(id, (tx) => tx.repository(Company).findOneBy({ id }));
    expect(await find(one.id)).toBeNull();
    await database.systemTransaction((tx) => tx.repository(Company).insert(one));
    const renamed = database.transaction(one.id, async (tx) => {
      await tx.repository(Company).save({ id: one.id, name: 'Two' });
      throw new Error('of the work');
    });
    await expect(renamed).rejects.toThrow('of the work');
    expect(await find(one.id)).toMatchObject({ name: 'One' });
    await database.transaction(one.id, async (tx) => {
      await tx.repository(Company).save({ id: one.id, name: 'Two' });
      const nested = tx.manager.transaction(async (manager) => {
        await manager.getRepository(Company).save({ id: one.id, name: 'Three' });
        throw new Error('of the inner one');
      });
      await expect(nested).rejects.toThrow('of the inner one');
    });
    expect(await find(one.id)).toMatchObject({ name: 'Two' });
  });
});

onServer('a transaction on a server', () => {
  const ID = newId();
  const settings = `SET LOCAL palabre.company_id = '${ID}'`;

  const begin = async (opening: string): Promise<TransactionConnection> =>
    new TransactionConnection(await pool().connect(), opening, () => null, null);

  it.each([
    ['BEGIN did not come to pass', `SELECT 1 / 0; BEGIN; ${settings}`, /division by zero/],
    ['it could not be understood', `BEGIN; ${settings}; SELEKT`, /syntax error/],
    ['the role is not there', `BEGIN; SET LOCAL ROLE no_such_role; ${settings}`, /no_such_role/],
    [
      'the last of it failed',
      `BEGIN; SET LOCAL ROLE palabre_app; SET LOCAL palabre.company_id = 1 / 0`,
      /syntax/,
    ],
    ['no company was set', `BEGIN; SET LOCAL ROLE palabre_app`, /uuid|aborted/],
  ])('has no effect when its opening fails: %s', async (_why, opening, message) => {
    const connection = await begin(opening);
    const statements = [
      connection.query('INSERT INTO probe VALUES ($1)', [1]),
      connection.query('INSERT INTO probe VALUES (2)'),
      connection.query('INSERT INTO probe SELECT n FROM unnest($1::integer[]) AS n', [[3, 4]]),
      connection.query('INSERT INTO probe VALUES (5); INSERT INTO probe VALUES (6)'),
    ];
    for (const outcome of await Promise.allSettled(statements)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringMatching(message) },
      });
    }
    // Neither does one that comes when it is known.
    const later = connection.query('INSERT INTO probe VALUES ($1)', [7]);
    await expect(later).rejects.toThrow();
    await expect(connection.commit()).rejects.toThrow();
    await connection.rollBack();
    connection.release();
    expect(await stored()).toEqual([]);
    await inTransaction((tx) => insert(tx, 8));
    expect(await stored()).toEqual([8]);
  });

  it('has no effect when a connection that others left in mid-transaction comes along', async () => {
    const client = await pool().connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 / 0').catch(() => undefined);
    const connection = new TransactionConnection(client, `BEGIN; ${settings}`, () => null, null);
    await expect(connection.query('INSERT INTO probe VALUES ($1)', [1])).rejects.toThrow('is aborted');
    await connection.rollBack();
    connection.release();
    expect(await stored()).toEqual([]);
  });

  it('keeps prepared what ran last on its connection, however many statements there were', async () => {
    const count = 700;
    const ask = (tx: Transaction, number: number): Promise<{ sum: number }[]> =>
      tx.query(`SELECT $1::int + ${number} AS sum`, [1]);
    await inTransaction(async (tx) => {
      for (let number = 0; number < count; number += 1) {
        expect(await ask(tx, number)).toEqual([{ sum: number + 1 }]);
      }
      // The first is long forgotten, and prepared anew; the last is there.
      for (const number of [0, count - 1, 0]) expect(await ask(tx, number)).toEqual([{ sum: number + 1 }]);
      const prepared = await tx.query<{ statement: string; runs: number }>(
        `SELECT statement, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
         WHERE name LIKE $1 AND statement LIKE '%AS sum'`,
        ['palabre_%'],
      );
      expect(prepared.length).toBeLessThanOrEqual(500);
      expect(prepared.length).toBeGreaterThan(400);
      const runs = new Map(prepared.map((one) => [one.statement, one.runs]));
      expect(runs.get('SELECT $1::int + 0 AS sum')).toBe(2);
      expect(runs.get(`SELECT $1::int + ${count - 1} AS sum`)).toBe(2);
      expect(runs.has('SELECT $1::int + 1 AS sum')).toBe(false);
    });
  });

  it('is refused in whole when its connection is ended in mid-pipeline, and the connection leaves the pool', async () => {
    const left: unknown[] = [];
    const leave = (client: unknown): void => void left.push(client);
    pool().on('remove', leave);
    const pids = Promise.withResolvers<number>();
    const outcomes = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
    const lost = inTransaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pids.resolve(row!.pid);
      const statements = [
        tx.query('SELECT pg_sleep($1)', [60]),
        insert(tx, 1),
        insert(tx, 2),
        tx.query('SELECT 1'),
      ];
      outcomes.resolve(await Promise.allSettled(statements));
      await insert(tx, 3);
    });
    const refused = lost.catch((error: unknown) => error);
    await database.dataSource.query('SELECT pg_terminate_backend($1)', [await pids.promise]);
    expect(await refused).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await outcomes.promise).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(await stored()).toEqual([]);
    await Promise.all([inTransaction((tx) => insert(tx, 4)), inTransaction((tx) => insert(tx, 5))]);
    expect(await stored()).toEqual([4, 5]);
    pool().off('remove', leave);
    expect(left.length).toBeGreaterThanOrEqual(1);
    const alive = await database.dataSource.query<object[]>('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [
      await pids.promise,
    ]);
    expect(alive).toEqual([]);
  });

  it('is refused where nothing may be written, and the connection leaves the pool', async () => {
    const clients = await Promise.all([pool().connect(), pool().connect()]);
    for (const client of clients) await client.query('SET default_transaction_read_only = on');
    for (const client of clients) client.release();
    for (const n of [1, 2]) {
      await expect(inTransaction((tx) => insert(tx, n))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    await Promise.all([inTransaction((tx) => insert(tx, 3)), inTransaction((tx) => insert(tx, 4))]);
    expect(await stored()).toEqual([3, 4]);
  });

  it('holds a row that it changes last for no longer than its end takes', async () => {
    const working = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const slow = inTransaction(async (tx) => {
      tx.last('INSERT INTO probe VALUES ($1)', [1]);
      await insert(tx, 2);
      working.resolve();
      await done.promise;
    });
    const failure = slow.catch((error: unknown) => error);
    await working.promise;
    // It would wait for the other to end, had that inserted the same by now.
    await database.systemTransaction((tx) => insert(tx, 1), { ahead: true });
    done.resolve();
    expect(String(await failure)).toMatch('duplicate key');
    expect(await stored()).toEqual([1]);
  });

  it('that goes ahead waits neither for a crowd of others nor for what uses the pool past them', async () => {
    const clients = await Promise.all([pool().connect(), pool().connect()]);
    let isInserted = false;
    const waiting = inTransaction((tx) => insert(tx, 1)).then(() => (isInserted = true));
    const options = { ahead: true };
    await Promise.all([2, 3, 4, 5].map((n) => database.systemTransaction((tx) => insert(tx, n), options)));
    expect(isInserted).toBe(false);
    for (const client of clients) client.release();
    await waiting;
    expect(await stored()).toEqual([1, 2, 3, 4, 5]);
  });
});
