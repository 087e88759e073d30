import { type DataSource, MigrationExecutor } from 'typeorm';

import { explainingPermissions } from './permissions.js';

/** Any fixed number: replicas that start together take turns on it. */
const MIGRATION_LOCK = 7_265_116_201;

/** Brings the schema to the newest migration. Processes that start together wait for the one that does it. */
export const migrate = (dataSource: DataSource): Promise<void> =>
  explainingPermissions(dataSource, () => runPending(dataSource));

const runPending = async (dataSource: DataSource): Promise<void> => {
  // Lock and migrations share one connection, for there may be no second one.
  const runner = dataSource.createQueryRunner();
  const migrations = new MigrationExecutor(dataSource, runner);
  migrations.transaction = 'each';
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrations.executePendingMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.release();
  }
};

/** Whether the code has migrations that the database does not have yet; readiness needs that it has none. */
export const pendingMigrations = async (dataSource: DataSource): Promise<boolean> =>
  dataSource.showMigrations();
