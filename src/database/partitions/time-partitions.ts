import type { DataSource, EntityManager } from 'typeorm';

import { sqlStateOf } from '../connection-failure.js';
import { firstIdOfDay, identifier, partitionDayNamed, partitionDays } from './partition-day.js';

/** A table in partitions by RANGE on a column of UUIDv7s: one a day, and `table_rest` for all that has no other. */
export interface TimePartitioned {
  readonly table: string;
  readonly column: string;
}

/** Names of partitions. Those that are left can be tried again later; nothing is lost meanwhile. */
export interface Outcome {
  done: string[];
  left: string[];
}

/** What is old: all of days before that of `before`, but for the ids of `keep`. */
export interface Past {
  before: Date;
  keep: readonly string[];
}

/** Rows of so many, and those that belong with the last of them, are deleted at once. */
const BATCH_ROWS = 10_000;

/**
 * Whoever comes after a statement that waits for a lock waits too, so it must not wait long. And shorter than
 * deadlock_timeout, a second: it is never somebody else who has to give way.
 */
const LOCK_TIMEOUT_MS = 800;

/** Any fixed number: replicas take turns on it. */
const PARTITIONS_LOCK = 7_265_116_203;

const LOCK_NOT_AVAILABLE = '55P03';
const CHECK_VIOLATION = '23514';

/**
 * Makes the partitions for the day of `from` and the `days` after it, as far as they are missing. Left: those that
 * the default partition holds rows of already, which stay there; and what the table's users left no time for.
 */
export const addPartitions = (
  dataSource: DataSource,
  { table }: TimePartitioned,
  { from, days }: { from: Date; days: number },
): Promise<Outcome> =>
  attemptEach(dataSource, partitionDays(table, from, days), async (manager, { name, from, to }) => {
    if (await exists(manager, name)) return false;
    // Made first and attached then: PARTITION OF would lock out everybody who reads or writes the table.
    await manager.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
    await manager.query(
      `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    return true;
  });

/** Drops the partitions that hold nothing but what is old. Left: what the table's users left no time for. */
export const dropPartitions = async (
  dataSource: DataSource,
  { table }: TimePartitioned,
  { before, keep }: Past,
): Promise<Outcome> => {
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
};

/**
 * Deletes what is old from the default partition, in batches until `signal` is aborted, and gives the number of rows.
 * Those of one id go together or not at all.
 */
export const emptyRest = async (
  dataSource: DataSource,
  { table, column }: TimePartitioned,
  { before, keep }: Past,
  signal: AbortSignal,
): Promise<number> => {
  const rest = `${identifier(table)}_rest`;
  const key = identifier(column);
  let deleted = 0;
  while (!signal.aborted) {
    const [batch] = await dataSource.query<{ count: number }[]>(
      `WITH oldest AS (
         SELECT ${key} FROM ${rest} WHERE ${key} < $1 AND ${key} <> ALL ($2::uuid[]) ORDER BY ${key} LIMIT $3),
       deleted AS (DELETE FROM ${rest} WHERE ${key} IN (SELECT ${key} FROM oldest) RETURNING 1)
       SELECT count(*)::int AS count FROM deleted`,
      [firstIdOfDay(before), keep, BATCH_ROWS],
    );
    if (!batch || batch.count === 0) break;
    deleted += batch.count;
  }
  return deleted;
};

/**
 * Each in a transaction of its own, so that locks are held for moments. Where one is not to be had, nothing more is
 * tried: the others who wait would wait again and again. `work` gives whether there was any.
 */
const attemptEach = async <Day extends { name: string }>(
  dataSource: DataSource,
  days: readonly Day[],
  work: (manager: EntityManager, day: Day) => Promise<boolean>,
): Promise<Outcome> => {
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
};

const exists = async (manager: EntityManager, name: string): Promise<boolean> => {
  const rows = await manager.query<object[]>('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
  return rows.length > 0;
};

const listPartitions = async (dataSource: DataSource, table: string): Promise<string[]> => {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = $1::regclass ORDER BY relname`,
    [identifier(table)],
  );
  return rows.map(({ name }) => name);
};
