import { readdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type DataSource, MigrationExecutor, type QueryRunner, type MigrationInterface } from 'typeorm';
import { backoffMs, retry } from '@palabre/async';

import { LOCK_NOT_AVAILABLE, sqlStateOf, disableDeadline } from './connection-failure.js';
import { explainMissingPermissions } from './permissions.js';
import { UnusableDatabase } from './unusable-database.js';

/** Any fixed number: replicas that start together take turns on it. */
const MIGRATION_LOCK = 7_265_116_201;

/**
 * Limits that administrators may set. A migration that hits one would hit it at every start, and so would waiting for
 * the migration of another process.
 */
const STATEMENT_TIMEOUTS = [
  'statement_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
];

const LOCK_TIMEOUTS = ['lock_timeout'];

/**
 * While a migration waits for a table lock, all other statements on the table queue behind it, reads too. So it gives up
 * soon, lets them through, and is tried again from its beginning. Shorter than deadlock_timeout, one second.
 */
const LOCK_TIMEOUT_MS = 800;
const PAUSES = { firstMs: 500, maxMs: 5_000 };
const MAX_TRIES = 120;

interface MigrationWaits {
  /** Called once when another process is migrating the database. */
  onOther(): void;
  /** Called before each retry of a migration whose tables are in use. */
  onLocked(tries: number): void;
}

/**
 * Runs pending migrations. Processes that start together wait for the one that runs them. Rejects with UnusableDatabase
 * when a newer version has migrated the database, and when its tables stay in use for about ten minutes.
 */
export function migrate(dataSource: DataSource, waits: MigrationWaits): Promise<void> {
  return explainMissingPermissions(dataSource, () => runPending(dataSource, waits));
}

async function runPending(dataSource: DataSource, waits: MigrationWaits): Promise<void> {
  // Lock and migrations share one connection: the embedded database has no second one.
  const runner = dataSource.createQueryRunner();
  const migrations = new MigrationExecutor(dataSource, runner);
  migrations.transaction = 'each';
  try {
    await disableDeadline(runner);
    await setTimeouts(runner, STATEMENT_TIMEOUTS, "'0'");
    await takeLock(runner, () => waits.onOther());
    await refuseNewer(migrations, dataSource);
    await setTimeouts(runner, LOCK_TIMEOUTS, `'${LOCK_TIMEOUT_MS}ms'`);
    await executePending(migrations, waits);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await setTimeouts(runner, [...STATEMENT_TIMEOUTS, ...LOCK_TIMEOUTS], 'reset_val').catch(() => undefined);
    await runner.release();
  }
}

/** Each migration is a transaction, so those before a failed one stay. */
async function executePending(migrations: MigrationExecutor, { onLocked }: MigrationWaits): Promise<void> {
  await retry(
    () => migrations.executePendingMigrations(),
    (error, tries) => {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) return null;
      if (tries === MAX_TRIES) throw tablesInUse(error);
      onLocked(tries);
      return backoffMs(PAUSES, tries);
    },
  );
}

function tablesInUse(cause: unknown): UnusableDatabase {
  return new UnusableDatabase(
    'The database cannot be migrated: its tables stay in use by others. Look for long transactions in ' +
      'pg_stat_activity, end them, and start again.',
    { cause },
  );
}

async function takeLock(runner: QueryRunner, onWait: () => void): Promise<void> {
  const sql = 'SELECT pg_try_advisory_lock($1) AS "isMine"';
  const [taken] = await runner.connection.query<{ isMine: boolean }[]>(sql, [MIGRATION_LOCK], runner);
  if (taken?.isMine) return;
  onWait();
  await setTimeouts(runner, LOCK_TIMEOUTS, "'0'");
  await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await setTimeouts(runner, LOCK_TIMEOUTS, 'reset_val');
}

/** `value` is SQL. Skips settings that this version of the server does not know. */
async function setTimeouts(runner: QueryRunner, names: readonly string[], value: string): Promise<void> {
  await runner.query(`SELECT set_config(name, ${value}, false) FROM pg_settings WHERE name = ANY ($1)`, [
    names,
  ]);
}

/** Checked at start only: during a rolling upgrade, processes of the older version keep running. */
async function refuseNewer(migrations: MigrationExecutor, dataSource: DataSource): Promise<void> {
  const { unknown } = await compareMigrations(migrations, dataSource);
  if (unknown.length === 0) return;
  throw new UnusableDatabase(
    `The database is of a newer version: this one does not know its migrations ${unknown.join(', ')}. ` +
      'Start the version that made them, or a later one; to go back, restore the backup from before the upgrade.',
  );
}

/** The names of migrations that are pending, and of those that this version does not know. */
export async function compareMigrations(
  migrations: Pick<MigrationExecutor, 'getExecutedMigrations'>,
  dataSource: DataSource,
): Promise<{ pending: string[]; unknown: string[] }> {
  const known = new Set(dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const executed = new Set((await migrations.getExecutedMigrations()).map(({ name }) => name));
  return { pending: [...known.difference(executed)], unknown: [...executed.difference(known)] };
}

/** Whether the code has migrations that the database does not have. A ready process has none. */
export async function pendingMigrations(dataSource: DataSource): Promise<boolean> {
  return dataSource.showMigrations();
}

/** Beside both `src` and `dist`. Migrations are plain JavaScript, so that what runs is what was reviewed. */
const FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

type MigrationClass = new () => MigrationInterface;

/** The migrations, oldest first: one class a file, sorted by the time in the file name. */
export async function loadMigrations(): Promise<MigrationClass[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{13}-[a-z0-9-]+\.js$/.test(file)).toSorted();
  const modules = await Promise.all(
    files.map(
      (file) => import(pathToFileURL(`${FOLDER}${file}`).href) as Promise<Record<string, MigrationClass>>,
    ),
  );
  return modules.flatMap((module) => Object.values(module));
}

/** The statements that would make the tables match the entities. Empty: no migration is missing. */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const statements = await dataSource.driver.createSchemaBuilder().log();
  return statements.upQueries.map(({ query }) => query);
}
