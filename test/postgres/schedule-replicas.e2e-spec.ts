import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { signToken } from '../../src/companies/auth/token-signer.js';
import { ScheduleNotes } from '../../src/conversations/schedules/schedule-notes.service.js';
import { ScheduleRuns } from '../../src/conversations/schedules/schedule-runs.service.js';
import { type Server, startServer } from '../../src/app/server.js';
import { identityOf } from '../harness/notification-view.js';
import { ShiftedClock } from '../harness/shifted-clock.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { untilBlocked } from '../harness/until-blocked.js';

const SCHEDULES = 8;
const HOUR_MS = 3_600_000;

const MAX_SCHEDULES = SCHEDULES + 2;

const CREATE = `mutation { createSchedule(input: {
  assistantKey: "mefali", message: "Bonjour", when: { cron: "0 * * * *" } }) { id } }`;

interface RunRow {
  outcomes: string | null;
  turns: number;
}

function all(row: RunRow): RunRow[] {
  return Array.from({ length: SCHEDULES }, () => row);
}

describe.skipIf(testDatabaseUrl === null)('schedules on several replicas', () => {
  const clock = new ShiftedClock();
  /** Of each replica, which runs nothing by itself here. */
  const replicas: ScheduleRuns[] = [];
  let testDatabase: TestDatabase;
  let servers: Server[];
  let ada: TestClient;
  let companyId: string;

  beforeAll(async () => {
    vi.spyOn(ScheduleRuns.prototype, 'onApplicationBootstrap').mockImplementation(async function (
      this: ScheduleRuns,
    ) {
      replicas.push(this);
    });
    testDatabase = await createTestDatabase();
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: testDatabase.location.database.url ?? '',
      AUTH_SECRET: SECRET,
      OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
      MAX_SCHEDULES_PER_MEMBER: String(MAX_SCHEDULES),
    });
    const logger = createLogger({ level: 'silent', pretty: false });
    servers = [await startServer(config, logger, { clock }), await startServer(config, logger, { clock })];
    const claims = { sub: 'ada', company: 'demo', role: 'ADMIN' as const, name: 'Ada' };
    ada = new TestClient(servers[0]!.url, await signToken(SECRET, claims, 3600));
    ({ companyId } = await identityOf(ada));
    for (let count = 0; count < SCHEDULES; count += 1) await ada.get(CREATE);
  });
  afterAll(async () => {
    await ada.close();
    for (const server of servers) await server.close();
    await testDatabase[Symbol.asyncDispose]();
    vi.restoreAllMocks();
  });

  /** What came of each schedule's runs, and how many turns it has. */
  function runsAndTurns(): Promise<RunRow[]> {
    return servers[0]!.resources.database.read(companyId, (tx) =>
      tx.query<RunRow>(
        `SELECT (SELECT string_agg(outcome, ' ') FROM schedule_run AS run WHERE run.schedule_id = schedule.id) AS outcomes,
           (SELECT count(*)::integer FROM turn WHERE turn.schedule_id = schedule.id) AS turns
         FROM schedule WHERE company_id = $1`,
        [companyId],
      ),
    );
  }

  it('start one turn for each time, also after a process has died between turn and note', async () => {
    clock.advance(HOUR_MS);
    const note = vi.spyOn(ScheduleNotes.prototype, 'note').mockRejectedValue(new Error('The process died.'));
    await replicas[0]!.runDue();
    expect(note).toHaveBeenCalledTimes(SCHEDULES);
    expect(await runsAndTurns()).toEqual(all({ outcomes: null, turns: 0 }));
    note.mockRestore();

    await Promise.all([...replicas, ...replicas].map((replica) => replica.runDue()));
    expect(await runsAndTurns()).toEqual(all({ outcomes: 'STARTED', turns: 1 }));
  });

  it('stay paused when a change was asked for just before, and came to its row just after', async () => {
    const { database } = servers[0]!.resources;
    const [schedule] = await database.read(companyId, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM schedule ORDER BY id LIMIT 1'),
    );
    const update = `mutation ($id: ID!) {
      updateSchedule(input: { id: $id, when: { cron: "30 * * * *" } }) { status cron } }`;
    let updated: Promise<unknown> | undefined;
    await database.transaction(companyId, async (tx) => {
      await tx.query(
        `UPDATE schedule SET status = 'PAUSED', paused_reason = 'BY_ADMIN', next_at = NULL WHERE id = $1`,
        [schedule!.id],
      );
      updated = ada.get(update, schedule!);
      await untilBlocked(database);
    });
    expect(await updated).toEqual({ updateSchedule: { status: 'PAUSED', cron: '30 * * * *' } });
  });

  it('are no more than a member may have, however many are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => ada.codes(CREATE)));
    expect(made.flat()).toEqual(Array.from({ length: 6 }, () => 'CONFLICT'));
  });
});
