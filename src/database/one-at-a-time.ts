import type { Database } from './database.js';

/**
 * Runs `work` while no other process on the same database runs a work of the same `lock`, which is any fixed number.
 * For what changes the schema when processes start together.
 */
export const oneAtATime = async (
  database: Database,
  lock: number,
  work: () => Promise<void>,
): Promise<void> => {
  // The embedded database is one process's, and its one connection is the work's.
  if (database.embedded) return work();
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [lock]);
    await work();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => undefined);
    await runner.release();
  }
};
