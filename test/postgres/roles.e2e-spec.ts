import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { type Server, startServer } from '../../src/app/server.js';
import { RawSocket } from '../harness/raw-socket.js';
import { SECRET, startOfflineApp } from '../harness/start-app.js';
import { answerOf, TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

async function readiness(url: string): Promise<unknown> {
  const response = await fetch(`${url}/health/ready`);
  return { httpStatus: response.status, ...((await response.json()) as object) };
}

it('one process does everything, without other settings', async () => {
  await using app = await startOfflineApp();
  const client = await app.client();
  const { turnId } = await client.ask('Bonjour');
  expect((await client.allEvents(turnId)).at(-1)).toMatchObject({
    __typename: 'TurnDone',
    status: 'COMPLETED',
  });
  expect(await readiness(app.url)).toMatchObject({
    httpStatus: 200,
    status: 'ready',
    role: 'all',
    listening: testDatabaseUrl === null ? 'not needed' : 'ok',
  });
});

onServer('processes of one role each', () => {
  let provider: ScriptedProvider;
  let testDatabase: TestDatabase;
  let servers: Server[];

  beforeEach(async () => {
    provider = await startScriptedProvider(() => [text('Bon'), text('jour.'), finish()]);
    testDatabase = await createTestDatabase();
    servers = [];
  });

  afterEach(async () => {
    for (const server of servers) await server.close();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  const start = async (role: 'api' | 'worker'): Promise<Server> => {
    const config = readConfig({
      ROLE: role,
      PORT: '0',
      DATABASE_URL: testDatabase.location.database.url ?? '',
      AUTH_SECRET: SECRET,
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
    });
    const server = await startServer(config, createLogger({ level: 'silent', pretty: false }));
    servers.push(server);
    return server;
  };

  const token = (): Promise<string> =>
    signToken(SECRET, { sub: 'ada', company: 'demo', role: 'ADMIN', name: 'Ada' }, 3600);

  it('share the work: one takes questions and shows answers, the other finds them', async () => {
    const api = await start('api');
    await using client = await clientOf(api);
    const { turnId } = await client.ask('Bonjour ?');
    const waiting = client.turnEvents(turnId);
    expect((await waiting.next()).value).toMatchObject({ __typename: 'StatusChanged', status: 'QUEUED' });
    // Whatever ran turns here would have had it long before a second process was there.
    const worker = await start('worker');
    const told = [];
    for await (const event of waiting) told.push(event);
    expect(told.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(answerOf(told)).toBe('Bonjour.');
    await worker.close();
    servers = [api];
    const { turnId: later } = await client.ask('Encore ?');
    expect(await client.get('query ($id: ID!) { turn(id: $id) { status } }', { id: later })).toEqual({
      turn: { status: 'QUEUED' },
    });
  });

  it('leave what is to be done later to those that work', async () => {
    const api = await start('api');
    const { database } = api.resources;
    const namesInLine = () => database.dataSource.query<{ name: string }[]>('SELECT name FROM pgboss.job');
    expect(await namesInLine()).toEqual([]);
    const worker = await start('worker');
    expect(await namesInLine()).toContainEqual({ name: 'keep-event-log' });
    expect([api.resources.jobs.takesWork, worker.resources.jobs.takesWork]).toEqual([false, true]);
  });

  it('say what they are, and a worker answers nothing else', async () => {
    const [api, worker] = [await start('api'), await start('worker')];
    expect(await readiness(api.url)).toMatchObject({ httpStatus: 200, role: 'api', listening: 'ok' });
    expect(await readiness(worker.url)).toMatchObject({ httpStatus: 200, role: 'worker', listening: 'ok' });
    expect(await (await fetch(`${worker.url}/health/live`)).json()).toEqual({ status: 'live' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await token()}` };
    const body = JSON.stringify({ query: '{ viewer { id } }' });
    for (const path of ['/graphql', '/graphql/stream', '/explorer']) {
      expect((await fetch(worker.url + path)).status).toBe(404);
      expect((await fetch(worker.url + path, { method: 'POST', headers, body })).status).toBe(404);
    }
    await expect(RawSocket.open(worker.url)).rejects.toThrow('404');
    await (await RawSocket.open(api.url)).close();
  });

  const clientOf = async (server: Server): Promise<TestClient & AsyncDisposable> => {
    const client = new TestClient(server.url, await token());
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
  };
});
