import type { DataSource, EntityManager } from 'typeorm';

import { DAY_MS } from '../../common/clock.js';
import { firstIdAt } from '../../common/ids.js';
import { LOCK_NOT_AVAILABLE, sqlStateOf } from './connection-failure.js';
import type { Database } from './database.js';

/** A table partitioned by RANGE on a UUIDv7 column: one partition a day, and the default partition `table_rest`. */
export interface TimePartitioned {
  readonly table: string;
  readonly column: string;
}

/** Names of partitions. Those in `left` can be tried again later. */
interface Outcome {
  done: string[];
  left: string[];
}

/** What may be deleted: all days before that of `before`, except the ids in `keep`. */
interface Past {
  before: Date;
  keep: readonly string[];
}

/** How many rows one statement deletes, and those with the same id as the last of them. */
const BATCH_ROWS = 10_000;

/**
 * Other statements queue behind one that waits for a lock, so it must not wait long. Shorter than deadlock_timeout, one
 * second, so that in a deadlock this statement gives up and not another.
 */
const LOCK_TIMEOUT_MS = 800;

/** Any fixed number: replicas take turns on it. */
const PARTITIONS_LOCK = 7_265_116_203;

const CHECK_VIOLATION = '23514';

/**
 * Makes the missing partitions for the day of `from` and the `days` after it. Left are days of which the default
 * partition holds rows, which stay there, and those for which the lock was not available.
 */
export async function addPartitions(
  dataSource: DataSource,
  { table }: TimePartitioned,
  { from, days }: { from: Date; days: number },
): Promise<Outcome> {
  await secureOldPartitions(dataSource, table);
  return attemptEach(dataSource, partitionDays(table, from, days), async (manager, { name, from, to }) => {
    if (await exists(manager, name)) return false;
    // ATTACH takes a weaker lock than PARTITION OF, which would block all reads and writes of the table.
    await manager.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL); ${enableRowSecurity(name)}`);
    await manager.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    return true;
  });
}

/** A partition does not inherit policies. With row security and no policy it shows nothing when queried by name. */
function enableRowSecurity(name: string): string {
  return `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`;
}

/** Enables row security on partitions that an earlier version made; it may still be running beside this one. */
async function secureOldPartitions(dataSource: DataSource, table: string): Promise<void> {
  const open = await dataSource.query<{ name: string }[]>(
    `${PARTITIONS_OF} AND NOT (relrowsecurity AND relforcerowsecurity)`,
    [identifier(table)],
  );
  await attemptEach(dataSource, open, async (manager, { name }) => {
    if (await exists(manager, name)) await manager.query(enableRowSecurity(name));
    return true;
  });
}

/** Drops the partitions whose rows may all be deleted. Left are those for which the lock was not available. */
export async function dropPartitions(
  dataSource: DataSource,
  { table }: TimePartitioned,
  { before, keep }: Past,
): Promise<Outcome> {
  const names = await listPartitions(dataSource, table);
  const old = names
    .flatMap((name) => partitionDayNamed(table, name) ?? [])
    .filter(({ endsAt }) => endsAt <= before.getTime())
    .filter(({ from, to }) => !keep.some((id) => id >= from && id < to));
  return attemptEach(dataSource, old, async (manager, { name }) => {
    if (!(await exists(manager, name))) return false;
    await manager.query(`DROP TABLE ${name}`);
    return true;
  });
}

/**
 * Deletes old rows from the default partition, in batches until `signal` is aborted, and gives their number. Rows with
 * the same id are deleted together.
 */
export async function deleteFromDefaultPartition(
  database: Database,
  { table, column }: TimePartitioned,
  { before, keep }: Past,
  signal: AbortSignal,
): Promise<number> {
  const rest = `${identifier(table)}_rest`;
  const key = identifier(column);
  let deleted = 0;
  while (!signal.aborted) {
    const [batch] = await database.systemTransaction((tx) =>
      tx.query<{ count: number }>(
        `WITH oldest AS (
           SELECT ${key} FROM ${rest} WHERE ${key} < $1 AND ${key} <> ALL ($2::uuid[]) ORDER BY ${key} LIMIT $3),
         deleted AS (DELETE FROM ${rest} WHERE ${key} IN (SELECT ${key} FROM oldest) RETURNING 1)
         SELECT count(*)::int AS count FROM deleted`,
        [firstIdOfDay(before), keep, BATCH_ROWS],
      ),
    );
    if (!batch || batch.count === 0) break;
    deleted += batch.count;
  }
  return deleted;
}

/**
 * Runs each in a transaction of its own, so that locks are held briefly. Stops when a lock is not available: further
 * tries would make others wait again and again. `work` gives whether there was anything to do.
 */
async function attemptEach<Day extends { name: string }>(
  dataSource: DataSource,
  days: readonly Day[],
  work: (manager: EntityManager, day: Day) => Promise<boolean>,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], left: [] };
  for (const [index, day] of days.entries()) {
    try {
      const isDone = await dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await manager.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
        return work(manager, day);
      });
      if (isDone) outcome.done.push(day.name);
    } catch (error) {
      const state = sqlStateOf(error);
      if (state === LOCK_NOT_AVAILABLE) {
        outcome.left.push(...days.slice(index).map(({ name }) => name));
        break;
      }
      if (state !== CHECK_VIOLATION) throw error;
      outcome.left.push(day.name);
    }
  }
  return outcome;
}

async function exists(manager: EntityManager, name: string): Promise<boolean> {
  const rows = await manager.query<object[]>('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
  return rows.length > 0;
}

const PARTITIONS_OF = `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = $1::regclass`;

async function listPartitions(dataSource: DataSource, table: string): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(`${PARTITIONS_OF} ORDER BY relname`, [
    identifier(table),
  ]);
  return rows.map(({ name }) => name);
}

/** One day, in UTC, of a table partitioned by UUIDv7s, which begin with their time. */
interface PartitionDay {
  /** `table_YYYYMMDD`. */
  name: string;
  /** The first id of the day, and the first one after it. */
  from: string;
  to: string;
  /** In milliseconds since 1970. */
  endsAt: number;
}

/** The day of `at`. Throws when `table` is not safe in a statement. */
export function partitionDay(table: string, at: Date): PartitionDay {
  const start = startOfDay(at);
  const endsAt = start + DAY_MS;
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '');
  return {
    name: `${identifier(table)}_${day}`,
    from: firstIdAt(new Date(start)),
    to: firstIdAt(new Date(endsAt)),
    endsAt,
  };
}

/** The day of `from` and the `count` days after it. */
export function partitionDays(table: string, from: Date, count: number): PartitionDay[] {
  return Array.from({ length: count + 1 }, (_, index) =>
    partitionDay(table, new Date(from.getTime() + index * DAY_MS)),
  );
}

/** The day of a partition by its name; null for any other name. */
export function partitionDayNamed(table: string, name: string): PartitionDay | null {
  const [, year, month, date] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  const start = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (Number.isNaN(start)) return null;
  const day = partitionDay(table, new Date(start));
  return day.name === name ? day : null;
}

export function firstIdOfDay(at: Date): string {
  return firstIdAt(new Date(startOfDay(at)));
}

/** Gives the name back if it is safe in a statement without quoting, and throws otherwise. */
export function identifier(name: string): string {
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) throw new Error(`"${name}" is not the name of a table or a column.`);
  return name;
}

function startOfDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS) * DAY_MS;
}
