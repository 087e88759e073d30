import pg from 'pg';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { Replica } from '../harness/replicas.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { runToEnd } from '../harness/server-process.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const book = new ScriptBook();

onServer('a database that answers and refuses', () => {
  let testDatabase: TestDatabase;
  let databaseUrl: string;
  let provider: ScriptedProvider;
  let replica: Replica;
  let client: TestClient;
  let admin: pg.Client;

  beforeAll(async () => {
    [testDatabase, provider] = await Promise.all([createTestDatabase(), startScriptedProvider(book.replyTo)]);
    databaseUrl = testDatabase.location.database.url ?? '';
    replica = await Replica.start({ databaseUrl, provider });
    client = await replica.client();
    // Beside the database that is to refuse.
    admin = new pg.Client({ connectionString: testDatabaseUrl ?? undefined });
    await admin.connect();
  });
  afterAll(async () => {
    await replica[Symbol.asyncDispose]();
    await provider.close();
    await admin.end();
    await testDatabase[Symbol.asyncDispose]();
  });

  const readiness = async (): Promise<{ status: number; database: string }> => {
    const response = await fetch(`${replica.network.url}/health/ready`);
    const { database } = (await response.json()) as { database: string };
    return { status: response.status, database };
  };

  const name = (): string => new URL(databaseUrl).pathname.slice(1);

  /** For the sessions to come; those that there are end. */
  const alter = async (setting: string): Promise<void> => {
    await admin.query(`ALTER DATABASE ${name()} ${setting}`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name()]);
  };

  const startsTurn = (): Promise<string[]> =>
    client.codes('mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }', {
      input: { assistantKey: 'mefali', message: 'Anybody?' },
    });

  it.each([
    ['writes', 'SET default_transaction_read_only = on', 'RESET default_transaction_read_only', 'read-only'],
    ['connections', 'ALLOW_CONNECTIONS false', 'ALLOW_CONNECTIONS true', 'unreachable'],
  ])('%s is waited for in mid-answer, and not ready meanwhile', async (_what, refuse, allow, database) => {
    const silent = barrier();
    const said = [text('So far '), silent.step, text('so good.'), finish()];
    const { turnId } = await client.ask(book.add(said));
    const reached = Promise.withResolvers<void>();
    const follow = async (): Promise<WireEvent[]> => {
      const seen: WireEvent[] = [];
      for await (const event of client.turnEvents(turnId)) {
        seen.push(event);
        if (event.__typename === 'TextDelta') reached.resolve();
      }
      return seen;
    };
    const sight = follow();
    await reached.promise;
    await alter(refuse);
    silent.open();
    expect(await startsTurn()).toEqual(['UNAVAILABLE']);
    expect(await readiness()).toEqual({ status: 503, database });
    await admin.query(`ALTER DATABASE ${name()} ${allow}`);
    while ((await readiness()).status !== 200);
    const seen = await sight;
    expect(seen.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(answerOf(seen)).toBe('So far so good.');
    expect(await client.allEvents(turnId)).toEqual(seen);
    // No connection is left from when it refused.
    expect((await Promise.all(Array.from({ length: 20 }, startsTurn))).flat()).toEqual([]);
  });

  it('writes is not started on', async () => {
    await alter('SET default_transaction_read_only = on');
    const finished = await runToEnd('app/main.js', [], { DATABASE_URL: databaseUrl, PORT: '0' });
    await alter('RESET default_transaction_read_only');
    expect(finished).toMatchObject({ code: 1, output: expect.stringContaining('takes no writes') });
    expect(finished.output).not.toMatch(/^ +at /m);
  });

  it('has too few connections for the pool is told so in words at start', async () => {
    const role = `few_${name()}`;
    // Fewer than a start holds at once, however slowly it asks for them.
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' CONNECTION LIMIT 2
      IN ROLE "${admin.user}", palabre_app, palabre_system`);
    const url = Object.assign(new URL(databaseUrl), { username: role, password: 'few' }).href;
    const finished = await runToEnd('app/main.js', [], { DATABASE_URL: url, PORT: '0' });
    await admin.query(`DROP ROLE ${role}`);
    expect(finished).toMatchObject({ code: 1, output: expect.stringContaining('has no connection left') });
    expect(finished.output).toMatch(/DATABASE_POOL_SIZE and four more\. Check DATABASE_URL\.\s*$/);
  });
});
