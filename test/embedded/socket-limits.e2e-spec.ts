import { WebSocket } from 'ws';

import { UsageLimits } from '../../src/graphql/limits/usage-limits.service.js';
import { RawSocket } from '../harness/raw-socket.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const ROLE = '{ viewer { role } }';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startApp([], { MAX_SOCKETS: '2', DOORS: 'openai' });
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

function open(): Promise<RawSocket> {
  return RawSocket.open(app.url);
}
/** As somebody whom no other test has left a socket of. */
let members = 0;
async function signedIn(): Promise<RawSocket> {
  const { token } = await app.client({ sub: `member ${(members += 1)}` });
  return RawSocket.signedIn(app.url, token!);
}
function init(): object {
  return {
    type: 'connection_init',
    payload: { authorization: `Bearer ${client.token}` },
  };
}

describe('a socket that nobody has signed in on', () => {
  it.each([
    ['a ping', { type: 'ping' }, 4401],
    ['a pong', { type: 'pong' }, 4401],
    ['the end of an operation', { type: 'complete', id: '1' }, 4401],
    ['an operation', { type: 'subscribe', id: '1', payload: { query: ROLE } }, 4401],
    ['more than a token', { type: 'connection_init', payload: { more: 'x'.repeat(20_000) } }, 4400],
  ])('is closed for %s', async (_, message, code) => {
    const socket = await open();
    socket.send(message);
    expect(await socket.closed).toMatchObject({ code });
  });

  it('has one of a number of places for its network, until it is signed in on or closed', async () => {
    const giveBack = vi.fn<() => void>();
    const take = vi.spyOn(UsageLimits.prototype, 'takeHandshake').mockReturnValue(giveBack);
    const first = await open();
    expect(giveBack).not.toHaveBeenCalled();
    first.send(init());
    expect(await first.next()).toMatchObject({ type: 'connection_ack' });
    expect(giveBack).toHaveBeenCalledTimes(1);
    await first.close();
    giveBack.mockClear();
    await (await open()).close();
    await vi.waitFor(() => expect(giveBack).toHaveBeenCalled());
    take.mockReturnValue(null);
    await expect(open()).rejects.toThrow('429');
    expect(await client.get(ROLE)).toEqual({ viewer: { role: 'ADMIN' } });
  });
});

describe('messages', () => {
  it.each([
    ['connection_ack', { type: 'connection_ack' }],
    ['next', { type: 'next', id: '1', payload: {} }],
    ['error', { type: 'error', id: '1', payload: [{ message: 'x' }] }],
  ])(
    'that the server alone sends close the socket, and are no fault of the server: %s',
    async (_, message) => {
      const { logger } = app.server.resources;
      const said = [console, logger].flatMap((log) => [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')]);
      const socket = await signedIn();
      socket.send(message);
      expect(await socket.closed).toMatchObject({ code: 4400 });
      for (const { mock } of said) expect(mock.calls).toEqual([]);
    },
  );

  it('are pings of a kilobyte at most', async () => {
    const socket = await signedIn();
    const payload = { text: 'x'.repeat(1_000) };
    socket.send({ type: 'ping', payload });
    expect(await socket.next()).toEqual({ type: 'pong', payload });
    socket.send({ type: 'ping', payload: { text: 'x'.repeat(2_000) } });
    expect(await socket.closed).toEqual({ code: 4400, reason: 'Too large a message of type ping' });
  });

  it('are longer only where they are operations', async () => {
    const socket = await signedIn();
    const query = `${ROLE} # ${'x'.repeat(20_000)}`;
    socket.send({ type: 'subscribe', id: '1', payload: { query } });
    expect(await socket.next()).toMatchObject({ type: 'next', payload: { data: { viewer: {} } } });
    expect(await socket.next()).toEqual({ type: 'complete', id: '1' });
    socket.send({ type: 'complete', id: 'x'.repeat(20_000) });
    expect(await socket.closed).toEqual({ code: 4400, reason: 'Too large a message of type complete' });
  });

  it.each([
    ['too deep', `{"type":"ping","payload":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`],
    ['too many values', `{"type":"ping","payload":{"a":[${'1,'.repeat(60_000)}1]}}`],
  ])('of %s are not read', async (_, message) => {
    const socket = await signedIn();
    socket.send(message);
    expect(await socket.closed).toMatchObject({ code: 4400 });
  });

  it.each([
    ['pings', () => ({ type: 'ping' })],
    ['ends of operations that there are not', () => ({ type: 'complete', id: 'none' })],
    ['operations that are refused', (id: string) => ({ type: 'subscribe', id, payload: { query: '{' } })],
  ])('without end close the socket, and nobody else waits: %s', async (_, message) => {
    const socket = await signedIn();
    for (let sent = 0; sent < 20_000; sent += 1) socket.send(message(String(sent)));
    expect(await client.get(ROLE)).toEqual({ viewer: { role: 'ADMIN' } });
    expect((await socket.closed).code).toBe(1008);
  });
});

it('closes a socket of the Responses API without end of messages, and reads no more of it', async () => {
  const socket = await RawSocket.open(app.url, '/v1/responses', client.token!);
  for (let sent = 0; sent < 2_000; sent += 1) socket.send('x'.repeat(1_000));
  const pause = vi.spyOn(WebSocket.prototype, 'pause');
  expect((await socket.closed).code).toBe(1008);
  expect(pause).toHaveBeenCalled();
});

describe('pings and pongs of WebSockets themselves', () => {
  it('are answered', async () => {
    const socket = await open();
    const answer = socket.pong();
    socket.sendFrame('ping', 'there?');
    expect(await answer).toBe('there?');
    await socket.close();
  });

  it.each<[kind: 'ping' | 'pong', path: string, who: () => Promise<RawSocket>]>([
    ['ping', 'GraphQL, unsigned', open],
    ['pong', 'GraphQL, unsigned', open],
    ['ping', 'GraphQL', signedIn],
    ['ping', 'the Responses API', () => RawSocket.open(app.url, '/v1/responses', client.token!)],
  ])('without end close the socket: %ss to %s', async (kind, _path, who) => {
    const socket = await who();
    for (let sent = 0; sent < 200; sent += 1) socket.sendFrame(kind, '');
    expect((await socket.closed).code).toBe(1006);
  });
});

it('leaves a member so many sockets, and another when one is closed', async () => {
  const { token } = await app.client({ sub: 'many' });
  const [first] = [await RawSocket.signedIn(app.url, token!), await RawSocket.signedIn(app.url, token!)];
  const third = await open();
  third.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
  expect(await third.closed).toEqual({ code: 1013, reason: 'Too many sockets' });
  await first.close();
  await RawSocket.signedIn(app.url, token!);
});
