import type { DataSource } from 'typeorm';

/** Any fixed number: replicas that start together take turns on it. */
const MIGRATION_LOCK = 7_265_116_201;

/** Brings the schema to the newest migration. Processes that start together wait for the one that does it. */
export const migrate = async (dataSource: DataSource): Promise<void> => {
  // The embedded database has one connection, which the lock must not hold while the migrations need it;
  // nobody else can be there either, as its folder is locked to this process.
  if (dataSource.options.type === 'postgres' && !dataSource.options.url) {
    await dataSource.runMigrations();
    return;
  }
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
  }
};

/** The migrations that are in the code but not yet in the database; readiness needs none. */
export const pendingMigrations = async (dataSource: DataSource): Promise<boolean> =>
  dataSource.showMigrations();
