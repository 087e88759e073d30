import type { Database } from '../../src/platform/database/database.js';

/** Resolves when so many statements wait for what other transactions of the database hold. Nothing tells of it. */
export async function untilBlocked({ dataSource }: Database, count = 1): Promise<void> {
  for (let blocked = 0; blocked < count;) {
    const [row] = await dataSource.query<{ blocked: number }[]>(
      `SELECT count(*)::int AS blocked FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    blocked = row?.blocked ?? 0;
  }
}
