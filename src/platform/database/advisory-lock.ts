import { disableDeadline } from './connection-failure.js';
import type { Database } from './database.js';

/**
 * Runs `work` while no other process on the same database holds `lock`, which is any fixed number. For schema changes by
 * processes that start together.
 */
export async function withAdvisoryLock(
  database: Database,
  lock: number,
  work: () => Promise<void>,
): Promise<void> {
  // The embedded database has one process, and `work` needs its only connection.
  if (database.embedded) return work();
  const runner = database.dataSource.createQueryRunner();
  try {
    // The other process may hold the lock for as long as it needs.
    await disableDeadline(runner);
    await runner.query('SELECT pg_advisory_lock($1)', [lock]);
    await work();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => undefined);
    await runner.release();
  }
}
