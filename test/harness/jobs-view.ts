import { eventually } from './eventually.js';
import type { TestApp } from './start-app.js';

/** The jobs of a turn, and what has become of each. */
export function jobsOf(app: TestApp, name: string, turnId: string): Promise<{ state: string }[]> {
  return app.database.dataSource.query<{ state: string }[]>(
    `SELECT state FROM pgboss.job WHERE name = $1 AND data ->> 'turnId' = $2 ORDER BY created_on`,
    [name, turnId],
  );
}

/** Resolves once so many jobs of the turn are done. Nothing tells of it. */
export async function jobsDone(app: TestApp, name: string, turnId: string, count = 1): Promise<void> {
  const isDone = ({ state }: { state: string }): boolean => state === 'completed';
  await eventually(
    () => jobsOf(app, name, turnId),
    (jobs) => jobs.filter(isDone).length >= count,
  );
}
