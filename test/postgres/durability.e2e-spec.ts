import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { newId } from '../../src/common/ids.js';
import { Program, runToEnd, ServerProcess, type Settings } from '../harness/server-process.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

// A lease has to run out, and none is shorter than ten seconds.
const QUESTION = "Quelle est l'empreinte carbone de 12 000 kWh d'électricité au Sénégal ?";
const onServer = testDatabaseUrl === null ? describe.skip : describe;
const embedded = testDatabaseUrl === null ? describe : describe.skip;

let folder: string;
let testDatabase: TestDatabase;
let settings: Settings;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-'));
  testDatabase = await createTestDatabase();
  const { url } = testDatabase.location.database;
  settings = {
    DATA_DIR: folder,
    // On the embedded database nobody waits for the lease of a process that is gone.
    LEASE_SECONDS: url === null ? '600' : '10',
    OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
    ...(url === null ? {} : { DATABASE_URL: url }),
  };
});

afterEach(async () => {
  await testDatabase[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function slow(tokensPerSecond: number): Settings {
  return {
    ...settings,
    OFFLINE_MODEL_TOKENS_PER_SECOND: String(tokensPerSecond),
  };
}

/** Reads a turn's events up to the third piece of text, and gives whatever had come when `happening` was over. */
async function inMidAnswer(
  client: TestClient,
  turnId: string,
  happening: () => Promise<unknown>,
): Promise<WireEvent[]> {
  const seen: WireEvent[] = [];
  for await (const event of client.turnEvents(turnId)) {
    seen.push(event);
    if (seen.filter(({ __typename }) => __typename === 'TextDelta').length === 3) break;
  }
  await happening();
  return seen;
}

interface StoredTurn {
  turn: {
    status: string;
    lastSequence: number;
    answer: { text: string; status: string } | null;
    conversation: {
      title: string;
      activeTurn: { id: string } | null;
      messages: { edges: { node: { role: string; text: string } }[] };
    };
  };
}

async function stored(client: TestClient, id: string): Promise<StoredTurn['turn']> {
  const { turn } = await client.get<StoredTurn>(
    `query ($id: ID!) { turn(id: $id) { status lastSequence answer { text status }
       conversation { title activeTurn { id } messages(first: 10) { edges { node { role text } } } } } }`,
    { id },
  );
  return turn;
}

function sequences(events: readonly WireEvent[]): number[] {
  return events.map(({ sequence }) => sequence);
}

/** What holds of every turn that has ended well, whatever befell it. */
async function expectWhole(client: TestClient, turnId: string, told: readonly WireEvent[]): Promise<void> {
  const turn = await stored(client, turnId);
  expect(turn).toMatchObject({
    status: 'COMPLETED',
    answer: { status: 'COMPLETE' },
    lastSequence: told.length,
  });
  expect(sequences(told)).toEqual(told.map((_, index) => index + 1));
  expect(told.filter(({ __typename }) => __typename === 'TurnDone')).toEqual([told.at(-1)]);
  expect(answerOf(told)).toBe(turn.answer?.text);
  expect(await client.allEvents(turnId)).toEqual(told);
  expect(turn.conversation.activeTurn).toBeNull();
  expect(turn.conversation.messages.edges.map(({ node }) => node)).toEqual([
    { role: 'USER', text: QUESTION },
    { role: 'ASSISTANT', text: turn.answer?.text },
  ]);
}

it('takes over what a killed server left unfinished, and tells the answer anew', async () => {
  await using killed = await ServerProcess.start(slow(20));
  const asker = await killed.client();
  const { turnId } = await asker.ask(QUESTION);
  const seen = await inMidAnswer(asker, turnId, () => killed.kill('SIGKILL'));

  await using next = await ServerProcess.start(settings);
  const client = await next.client();
  const { edges } = (await stored(client, turnId)).conversation.messages;
  expect(edges[0]?.node).toEqual({ role: 'USER', text: QUESTION });
  const resumed = await client.allEvents(turnId, seen.length);
  expect(resumed).toContainEqual(expect.objectContaining({ __typename: 'TextReset', cause: 'RETRIED' }));
  await expectWhole(client, turnId, [...seen, ...resumed]);
});

it('on SIGTERM finishes what is under way, and leaves nothing behind that is in the way', async () => {
  await using stopped = await ServerProcess.start(slow(100));
  const asker = await stopped.client();
  const { turnId } = await asker.ask(QUESTION);
  const seen = await inMidAnswer(asker, turnId, async () =>
    expect(await stopped.kill('SIGTERM')).toMatchObject({ code: 0 }),
  );

  await using next = await ServerProcess.start(settings);
  const client = await next.client();
  const resumed = await client.allEvents(turnId, seen.length);
  expect(resumed.map(({ __typename }) => __typename)).not.toContain('TextReset');
  await expectWhole(client, turnId, [...seen, ...resumed]);
});

it('says in words that its port is in use', async () => {
  await using first = await ServerProcess.start(settings);
  const { port } = new URL(first.url);
  const other = await mkdtemp(join(tmpdir(), 'palabre-'));
  const { code, output } = await runToEnd('app/main.js', [], { ...settings, DATA_DIR: other, PORT: port });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/PORT.*in use/) });
  expect(output).not.toMatch(/^ +at /m);
  await rm(other, { recursive: true });
});

it('says in words that its address is none', async () => {
  const { code, output } = await runToEnd('app/main.js', [], {
    ...settings,
    PORT: '0',
    HOST: 'no-such.invalid',
  });
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/HOST and PORT must be.*no-such/),
  });
  expect(output).not.toMatch(/^ +at /m);
});

it.each([
  ['postgres://u:hidden@127.0.0.1:9/x', /No PostgreSQL answers at 127\.0\.0\.1:9\. Check DATABASE_URL\./],
  ['postgres://u:hidden@no-such-host.invalid/x', /no-such-host\.invalid.*Check DATABASE_URL\./],
])('says in words that there is no database at %s', async (url, words) => {
  const { code, output } = await runToEnd('app/main.js', [], { ...settings, DATABASE_URL: url });
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(words) });
  expect(output).not.toMatch(/^ +at |hidden/m);
});

embedded('the embedded database', () => {
  it('is one process’s, and says so to every other', async () => {
    await using first = await ServerProcess.start(settings);
    const second = await runToEnd('app/main.js', [], { ...settings, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.output).toMatch(
      /in use by another Palabre process \(pid \d+\).*running server.*DATABASE_URL/,
    );
    expect(second.output).not.toMatch(/^ +at /m);
    const commandLine = ['company', 'create', '--slug', 'acme', '--name', 'Acme'];
    const command = await runToEnd('app/cli/palabre.js', commandLine, settings);
    expect(command).toMatchObject({ code: 1, output: second.output });
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  });

  it('says in words that its folder cannot be one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, output } = await runToEnd('app/main.js', [], { ...settings, DATA_DIR: file });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/file.*Set DATA_DIR/) });
    expect(output).not.toMatch(/^ +at /m);
  });

  it('says in words that it cannot be opened', async () => {
    await writeFile(join(folder, 'postgres'), 'no folder');
    const { code, output } = await runToEnd('app/main.js', [], { ...settings, DATA_DIR: folder });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/cannot be opened.*40 MB/) });
    expect(output).not.toMatch(/^ +at /m);
  });
});

onServer('a PostgreSQL server', () => {
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: testDatabaseUrl ?? undefined });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };

  it('may end every connection in mid-answer: the turn waits, and is answered', async () => {
    await using server = await ServerProcess.start(slow(30));
    const client = await server.client();
    const { turnId } = await client.ask(QUESTION);
    const { url } = testDatabase.location.database;
    const name = new URL(url ?? '').pathname.slice(1);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
    const seen = await inMidAnswer(client, turnId, () => run(end));
    const told = [...seen];
    while (told.at(-1)?.__typename !== 'TurnDone') {
      try {
        for await (const event of client.turnEvents(turnId, told.length)) told.push(event);
      } catch {
        // The subscription too may be told that the database is away: it is resumed.
      }
    }
    await expectWhole(client, turnId, told);
    const ready = await fetch(`${server.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ status: 'ready', database: 'ok' });
  });

  /** Settings of a server that finds nothing in its database. */
  const withoutTables = async (stack: AsyncDisposableStack): Promise<Settings & { DATABASE_URL: string }> => {
    const { location } = stack.use(await createTestDatabase({ isEmpty: true }));
    return { ...settings, DATABASE_URL: location.database.url ?? '' };
  };

  it('is set up once by processes that start together', async () => {
    await using started = new AsyncDisposableStack();
    const empty = await withoutTables(started);
    const start = async (): Promise<ServerProcess> => started.use(await ServerProcess.start(empty));
    const servers = await Promise.allSettled([start(), start(), start()]);
    for (const server of servers) {
      if (server.status === 'rejected') throw server.reason;
      const client = await server.value.client();
      expect(await client.get('{ viewer { company { name } } }')).toEqual({
        viewer: { company: { name: 'Demo' } },
      });
    }
  });

  it('tells a role that lacks rights what has to be run for it', async () => {
    await using stack = new AsyncDisposableStack();
    const empty = await withoutTables(stack);
    const role = `palabre_test_${newId().replaceAll('-', '')}`;
    await run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    const url = new URL(empty.DATABASE_URL);
    url.username = role;
    url.password = 'secret';
    const { code, output } = await runToEnd('app/main.js', [], { ...empty, DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(output).toContain(`GRANT CREATE ON SCHEMA public TO ${role};`);
    expect(output).toContain(`GRANT palabre_app TO ${role};`);
    expect(output).not.toMatch(/^ +at |secret/m);
    await run(`DROP ROLE ${role}`);
  });

  it('says that it waits for the migrations of another process', async () => {
    const other = new pg.Client({ connectionString: testDatabase.location.database.url ?? '' });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(7265116201)');
    const program = new Program('app/main.js', [], { ...settings, PORT: '0', LOG_LEVEL: 'info' });
    await program.says(/waiting for another process that migrates the database/);
    await other.end();
    await program.says(/Palabre is ready/);
    expect(await program.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('tells a role whose tables are another one’s', async () => {
    const [owner, other] = [newId(), newId()].map((id) => `palabre_test_${id.replaceAll('-', '')}`);
    for (const role of [owner, other]) await run(`CREATE ROLE ${role} LOGIN CREATEROLE`);
    const name = `palabre_test_${newId().replaceAll('-', '')}`;
    await run(`CREATE DATABASE ${name} OWNER ${owner}`);
    const as = async (user: string): Promise<string> => {
      const url = new URL(testDatabase.location.database.url ?? '');
      url.username = user;
      url.pathname = name;
      const { output } = await runToEnd('app/cli/palabre.js', ['migrate'], { DATABASE_URL: url.href });
      return output;
    };
    await using _ = {
      [Symbol.asyncDispose]: async () => {
        await run(`DROP DATABASE ${name} WITH (FORCE)`);
        await run(`DROP OWNED BY ${owner}, ${other}`);
        await run(`DROP ROLE ${owner}, ${other}`);
      },
    };
    for (const role of [owner, other]) await run(`GRANT palabre_app, palabre_system TO ${role}`);
    expect(await as(owner ?? '')).toContain('newest migration');
    expect(await as(other ?? '')).toContain(`GRANT ${owner} TO ${other};`);
  });
});
