import type { DataSource } from 'typeorm';
import { v7 } from 'uuid';

import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import {
  addPartitions,
  dropPartitions,
  deleteFromDefaultPartition,
} from '../../src/platform/database/time-partitions.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const PROBE = { table: 'probe', column: 'id' };
const NOON = new Date('2026-03-01T12:00:00Z');
const DAYS = ['probe_20260301', 'probe_20260302', 'probe_20260303'];

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let database: Database;
let dataSource: DataSource;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.location, []);
  ({ database } = opened);
  ({ dataSource } = database);
});

afterAll(async () => {
  await opened.close();
  await testDatabase[Symbol.asyncDispose]();
});

beforeEach(() =>
  dataSource.query(`
    DROP TABLE IF EXISTS probe;
    CREATE TABLE probe (id uuid NOT NULL, n integer NOT NULL, PRIMARY KEY (id, n)) PARTITION BY RANGE (id);
    CREATE TABLE probe_rest PARTITION OF probe DEFAULT;
    GRANT SELECT, DELETE ON probe_rest TO palabre_system`),
);

function drop(before: string, keep: string[] = []): ReturnType<typeof dropPartitions> {
  return dropPartitions(dataSource, PROBE, { before: new Date(before), keep });
}

function add(days = 2): ReturnType<typeof addPartitions> {
  return addPartitions(dataSource, PROBE, { from: NOON, days });
}

/** Stores `rows` rows of an id of that time, and gives the id. */
async function insert(time: string, rows = 1): Promise<string> {
  const id = v7({ msecs: Date.parse(time) });
  await dataSource.query('INSERT INTO probe SELECT $1, n FROM generate_series(1, $2) AS n', [id, rows]);
  return id;
}

/** How many rows each partition holds. */
async function stored(): Promise<Record<string, number>> {
  const rows = await dataSource.query<{ name: string; count: number }[]>(
    'SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM probe GROUP BY 1',
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Does `work` while somebody else is in the midst of a transaction. */
async function whileHeld(statement: string, work: () => Promise<void>): Promise<void> {
  const other = dataSource.createQueryRunner();
  try {
    await other.startTransaction();
    await other.query(statement);
    await work();
  } finally {
    await other.rollbackTransaction();
    await other.release();
  }
}

describe('adding', () => {
  it('makes the partition of every day that has none, and no other', async () => {
    expect(await add(1)).toEqual({ done: DAYS.slice(0, 2), left: [] });
    expect(await add()).toEqual({ done: DAYS.slice(2), left: [] });
    expect(await add()).toEqual({ done: [], left: [] });
    const times = [
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T00:00:00Z',
      '2026-03-03T23:59:59.999Z',
      '2026-03-04',
    ];
    for (const time of times) await insert(time);
    expect(await stored()).toEqual({ probe_rest: 2, [DAYS[0]!]: 1, [DAYS[2]!]: 1 });
  });

  it('gives a partition the keys of its table, or what is doubled would be stored', async () => {
    await add();
    const id = await insert('2026-03-02');
    const again = dataSource.query('INSERT INTO probe VALUES ($1, 1)', [id]);
    await expect(again).rejects.toMatchObject({ code: '23505' });
  });

  it('closes what is asked for by its own name, also what was made open before', async () => {
    const open = (): Promise<unknown> =>
      dataSource.query(`SELECT relname AS name FROM pg_class JOIN pg_inherits ON inhrelid = pg_class.oid
        WHERE inhparent = 'probe'::regclass AND NOT (relrowsecurity AND relforcerowsecurity)`);
    expect(await open()).toEqual([{ name: 'probe_rest' }]);
    await add();
    expect(await open()).toEqual([]);
  });

  it('leaves a day to the default partition that holds some of it', async () => {
    await insert('2026-03-02T08:00:00Z');
    expect(await add()).toEqual({ done: [DAYS[0], DAYS[2]], left: [DAYS[1]] });
    await insert('2026-03-02T09:00:00Z');
    expect(await stored()).toEqual({ probe_rest: 2 });
  });

  it('by several at once makes each once', async () => {
    const outcomes = await Promise.all([add(), add(), add()]);
    expect(outcomes.flatMap(({ done }) => done).toSorted()).toEqual(DAYS);
    expect(outcomes.flatMap(({ left }) => left)).toEqual([]);
  });

  it('takes no name that would be more than a name', async () => {
    const harmful = { table: 'probe; DROP TABLE probe', column: 'id' };
    const past = { before: NOON, keep: [] };
    const { signal } = new AbortController();
    const refused = 'is not the name of a table';
    await expect(async () => addPartitions(dataSource, harmful, { from: NOON, days: 0 })).rejects.toThrow(
      refused,
    );
    await expect(dropPartitions(dataSource, harmful, past)).rejects.toThrow(refused);
    await expect(deleteFromDefaultPartition(database, harmful, past, signal)).rejects.toThrow(refused);
    const column = { table: 'probe', column: "id = '' OR id" };
    await expect(deleteFromDefaultPartition(database, column, past, signal)).rejects.toThrow(refused);
  });
});

describe('dropping', () => {
  beforeEach(async () => {
    await add();
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) await insert(day);
  });

  it('takes the days that are over by then, whole', async () => {
    expect(await drop('2026-03-02T23:59:59.999Z')).toEqual({ done: [DAYS[0]], left: [] });
    expect(await drop('2026-03-03')).toEqual({ done: [DAYS[1]], left: [] });
    expect(await stored()).toEqual({ [DAYS[2]!]: 1 });
  });

  it('keeps the day of an id that is to be kept', async () => {
    const keep = await insert('2026-03-01T18:00:00Z');
    expect(await drop('2026-03-03', [keep])).toEqual({ done: [DAYS[1]], left: [] });
    expect(await stored()).toEqual({ [DAYS[0]!]: 2, [DAYS[2]!]: 1 });
  });

  it('leaves alone what it did not make, and the default partition', async () => {
    await insert('2020-01-01');
    await dataSource.query(`CREATE TABLE probe_20200102_copy PARTITION OF probe
      FOR VALUES FROM ('00000000-0000-0000-0000-000000000000') TO ('00000000-0000-0000-0000-000000000001')`);
    expect((await drop('2027-01-01')).done).toEqual(DAYS);
    expect(await stored()).toEqual({ probe_rest: 1 });
    const copies = await dataSource.query<object[]>(
      `SELECT WHERE to_regclass('probe_20200102_copy') IS NOT NULL`,
    );
    expect(copies).toHaveLength(1);
  });

  it('by several at once drops each once', async () => {
    const outcomes = await Promise.all([drop('2026-03-03'), drop('2026-03-03'), drop('2026-03-03')]);
    expect(outcomes.flatMap(({ done }) => done).toSorted()).toEqual(DAYS.slice(0, 2));
  });
});

describe('emptying the default partition', () => {
  const past = { before: new Date('2026-03-03T12:00:00Z'), keep: [] };
  const { signal } = new AbortController();

  it('takes what is of earlier days, but for what is to be kept', async () => {
    await insert('2026-03-01', 3);
    await insert('2026-03-02T23:59:59.999Z', 4);
    const kept = await insert('2026-03-01', 5);
    await insert('2026-03-03', 6);
    expect(await deleteFromDefaultPartition(database, PROBE, { ...past, keep: [kept] }, signal)).toBe(7);
    expect(await stored()).toEqual({ probe_rest: 11 });
  });

  it('takes all rows of an id together, and stops between two batches', async () => {
    for (const day of ['2026-03-01', '2026-03-01', '2026-03-02']) await insert(day, 6_000);
    const stopping = new AbortController();
    const stopped = {
      systemTransaction: (work: Parameters<Database['systemTransaction']>[0]) => {
        stopping.abort();
        return database.systemTransaction(work);
      },
    } as unknown as Database;
    expect(await deleteFromDefaultPartition(stopped, PROBE, past, stopping.signal)).toBe(12_000);
    expect(await stored()).toEqual({ probe_rest: 6_000 });
    expect(await deleteFromDefaultPartition(database, PROBE, past, signal)).toBe(6_000);
  });
});

onServer('while the table is in use', () => {
  it('adds without waiting for those who read and write its partitions', async () => {
    await add(0);
    const id = await insert('2026-03-01');
    await whileHeld(
      `UPDATE probe SET n = 2 WHERE id = '${id}'; SELECT FROM probe WHERE id = '${id}'`,
      async () => {
        expect(await add()).toEqual({ done: DAYS.slice(1), left: [] });
      },
    );
  });

  it('adds nothing while the default partition is read, and does not wait for it long', async () => {
    await whileHeld('SELECT FROM probe_rest', async () => {
      expect(await add()).toEqual({ done: [], left: DAYS });
    });
    expect((await add()).done).toEqual(DAYS);
  });

  it('drops nothing while somebody reads any of it, and does not wait for them long', async () => {
    await add();
    await whileHeld(`SELECT FROM probe WHERE id = '${await insert('2026-03-03')}'`, async () => {
      expect(await drop('2026-03-03')).toEqual({ done: [], left: DAYS.slice(0, 2) });
      expect(await stored()).toEqual({ [DAYS[2]!]: 1 });
    });
    expect((await drop('2026-03-03')).done).toEqual(DAYS.slice(0, 2));
  });
});
