import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

import { explainingPermissions } from './permissions.js';
import { UnusableDatabase } from '../unusable-database.js';

/** Any fixed number: replicas that start together take turns on it. */
const MIGRATION_LOCK = 7_265_116_201;

/**
 * What administrators set against queries that go wrong. A migration that was broken off by it would be broken off at
 * every start, and so would the wait for another process's.
 */
const ENDING_STATEMENTS = ['statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout'];

/** In force for the migrations: who waits for a table keeps everybody else from it meanwhile. */
const ENDING_WAITS = ['lock_timeout'];

/**
 * Brings the schema to the newest migration. Processes that start together wait for the one that does it, and
 * `onWait` is called once where that is so. Rejects with UnusableDatabase where a newer version has been at work.
 */
export const migrate = (dataSource: DataSource, onWait: () => void): Promise<void> =>
  explainingPermissions(dataSource, () => runPending(dataSource, onWait));

const runPending = async (dataSource: DataSource, onWait: () => void): Promise<void> => {
  // Lock and migrations share one connection, for there may be no second one.
  const runner = dataSource.createQueryRunner();
  const migrations = new MigrationExecutor(dataSource, runner);
  migrations.transaction = 'each';
  try {
    await setTimeouts(runner, ENDING_STATEMENTS, "'0'");
    await takeLock(runner, onWait);
    await refuseNewer(migrations, dataSource);
    await migrations.executePendingMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await setTimeouts(runner, ENDING_STATEMENTS, 'reset_val').catch(() => undefined);
    await runner.release();
  }
};

const takeLock = async (runner: QueryRunner, onWait: () => void): Promise<void> => {
  const sql = 'SELECT pg_try_advisory_lock($1) AS "isMine"';
  const [taken] = await runner.connection.query<{ isMine: boolean }[]>(sql, [MIGRATION_LOCK], runner);
  if (taken?.isMine) return;
  onWait();
  await setTimeouts(runner, ENDING_WAITS, "'0'");
  await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await setTimeouts(runner, ENDING_WAITS, 'reset_val');
};

/** `value` is SQL. A setting that this version of the server does not know is left alone. */
const setTimeouts = async (runner: QueryRunner, names: readonly string[], value: string): Promise<void> => {
  await runner.query(`SELECT set_config(name, ${value}, false) FROM pg_settings WHERE name = ANY ($1)`, [
    names,
  ]);
};

/** Only at start: a process that runs already goes on while newer ones take the place of others. */
const refuseNewer = async (
  migrations: MigrationExecutor,
  { migrations: known }: DataSource,
): Promise<void> => {
  const names = new Set(known.map(({ name, constructor }) => name ?? constructor.name));
  const executed = await migrations.getExecutedMigrations();
  const unknown = executed.map(({ name }) => name).filter((name) => !names.has(name));
  if (unknown.length === 0) return;
  throw new UnusableDatabase(
    `The database is of a newer version: this one does not know its migrations ${unknown.join(', ')}. ` +
      'Start the version that made them, or a later one; to go back, restore the backup from before the upgrade.',
  );
};

/** Whether the code has migrations that the database does not have yet; readiness needs that it has none. */
export const pendingMigrations = async (dataSource: DataSource): Promise<boolean> =>
  dataSource.showMigrations();
