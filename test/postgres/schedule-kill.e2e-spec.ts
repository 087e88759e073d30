import pg from 'pg';

import { follow, take } from '../harness/notification-view.js';
import { ServerProcess } from '../harness/server-process.js';
import type { TestClient } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const CREATE = `mutation ($at: DateTime!) { createSchedule(input: {
  assistantKey: "mefali", message: "Bonjour", when: { at: $at } }) { id } }`;

interface ScheduleView {
  status: string;
  runs: { edges: { node: { outcome: string; turn: { id: string } } }[] };
}

async function schedule(client: TestClient): Promise<ScheduleView | undefined> {
  const { schedules } = await client.get<{ schedules: { edges: { node: ScheduleView }[] } }>(
    '{ schedules { edges { node { status runs { edges { node { outcome turn { id } } } } } } } }',
  );
  return schedules.edges[0]?.node;
}

// Its job looks for what is due every 15 seconds.
describe.skipIf(testDatabaseUrl === null)('a question that is due when its server is killed', () => {
  it('is asked once, by the job of the next one', { timeout: 120_000 }, async () => {
    await using testDatabase = await createTestDatabase();
    const url = testDatabase.location.database.url ?? '';
    const settings = { DATABASE_URL: url, LEASE_SECONDS: '10', OFFLINE_MODEL_TOKENS_PER_SECOND: '0' };
    const held = new pg.Client({ connectionString: url });
    await held.connect();
    // By a connection of its own: within a transaction, what all do stays as it was when it was first looked at.
    const watching = new pg.Client({ connectionString: url });
    await watching.connect();
    const waiting = async (): Promise<number> => {
      const { rows } = await watching.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0]?.count ?? 0;
    };

    await using killed = await ServerProcess.start(settings);
    await (await killed.client()).get(CREATE, { at: new Date(Date.now() + 2_000).toISOString() });
    // The turn is started, and not yet stored: its transaction waits for the schedule's row.
    await held.query('BEGIN');
    await held.query('SELECT FROM schedule FOR UPDATE');
    while ((await waiting()) === 0);
    await killed.kill('SIGKILL');
    await held.query('ROLLBACK');
    while ((await waiting()) > 0);
    const turns = await held.query('SELECT FROM turn');
    await Promise.all([held.end(), watching.end()]);
    expect(turns.rowCount).toBe(0);

    await using next = await ServerProcess.start(settings);
    const client = await next.client();
    const told = await follow(client);
    if ((await schedule(client))?.status === 'ACTIVE') await take(told, 1);
    await told.return();
    const asked = await schedule(client);
    expect(asked?.status).toBe('ENDED');
    expect(asked?.runs.edges.map(({ node }) => node.outcome)).toEqual(['STARTED']);
    await client.allEvents(asked!.runs.edges[0]!.node.turn.id);
    const { turns: started } = await client.get<{ turns: { edges: object[] } }>(
      '{ turns { edges { cursor } } }',
    );
    expect(started.edges).toHaveLength(1);
  });
});
