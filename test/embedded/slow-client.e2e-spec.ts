import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';

import { WebSocket } from 'ws';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { PacedResults } from '../../src/graphql/streams/paced-results.js';
import { turnEventsIn } from '../harness/event-source.js';
import { checkEvents } from '../harness/laws.js';
import { ServerSockets, until } from '../harness/server-sockets.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { TURN_EVENTS, type TestClient, type WireEvent } from '../harness/test-client.js';

const PARTS = 40;
const PART = 'palabre '.repeat(16 * 1024);
const FRAME_BYTES = PART.length + 1_000;

let app: TestApp;
let client: TestClient;
/** A turn of PARTS events of a PART each, and a few small ones. */
let turnId: string;
let events: WireEvent[];

beforeAll(async () => {
  const stored = Array.from({ length: PARTS }, () => Promise.withResolvers<void>());
  app = await shareApp([
    [...stored.flatMap(({ promise }) => [text(PART), { type: 'gate' as const, until: promise }]), finish()],
  ]);
  client = await app.client();
  ({ turnId } = await client.ask('Much'));
  events = [];
  for await (const event of client.turnEvents(turnId)) {
    events.push(event);
    // One after the other, or they would become one event.
    if (event.__typename === 'TextDelta') stored.shift()?.resolve();
  }
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

function checkAll(seen: WireEvent[]): void {
  checkEvents(turnId, { after: 0, events: seen, told: null, error: null });
  expect(seen.length).toBeGreaterThan(PARTS);
  expect(seen).toEqual(events);
}

/** Time enough for a server that does not care to send everything. */
async function whileAnotherReadsAll(): Promise<void> {
  return checkAll(await client.allEvents(turnId));
}

/** A WebSocket by its own protocol alone, signed in. */
async function openSocket(url: string, options: object = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', options);
  await once(socket, 'open');
  const payload = { authorization: `Bearer ${client.token}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await once(socket, 'message');
  return socket;
}

function subscribe(socket: WebSocket, id: string): void {
  const payload = { query: TURN_EVENTS, variables: { turnId, after: 0 } };
  socket.send(JSON.stringify({ type: 'subscribe', id, payload }));
}

/** A stream of server-sent events on a connection of its own, which fetch would not promise. */
async function openStream(url: string, connection?: Socket): Promise<Response> {
  const outgoing = request(`${url}/graphql/stream`, {
    ...(connection ? { createConnection: () => connection } : { agent: false }),
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
  });
  outgoing.end(JSON.stringify({ query: TURN_EVENTS, variables: { turnId, after: 0 } }));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>);
}

// A corked socket takes what the server writes as one does whose client does not read, once the operating system
// keeps no more for it; how much that is, differs between machines.
describe('for a client that does not read', () => {
  it('one event of each operation of a socket waits, and all come in order when it reads on', async () => {
    using server = new ServerSockets(app.url);
    const socket = await openSocket(app.url);
    const { only: end } = server;
    const seen = new Map<string, WireEvent[]>(['1', '2', '3'].map((id) => [id, []]));
    const over = Promise.withResolvers<void>();
    let underWay = seen.size;
    socket.on('message', (data: Buffer) => {
      const { type, id, payload } = JSON.parse(data.toString());
      if (type === 'next') seen.get(id)?.push(payload.data.turnEvents);
      else if (type === 'complete') underWay -= 1;
      if (underWay === 0) over.resolve();
    });
    for (const id of seen.keys()) subscribe(socket, id);
    await until(() => end.bytesWritten > FRAME_BYTES);
    end.cork();
    await whileAnotherReadsAll();
    expect(end.writableLength).toBeGreaterThan(0);
    expect(end.writableLength).toBeLessThan(seen.size * FRAME_BYTES);
    end.uncork();
    await over.promise;
    for (const each of seen.values()) checkAll(each);
    socket.close();
  });

  it('few of an event stream wait, and all come in order when it reads on', async () => {
    using server = new ServerSockets(app.url);
    const taking = vi.spyOn(PacedResults.prototype, 'next');
    const response = await openStream(app.url);
    const { only: end } = server;
    end.cork();
    await whileAnotherReadsAll();
    expect(end.writableLength).toBeGreaterThan(0);
    expect(end.writableLength).toBeLessThan(2 * FRAME_BYTES);
    const sent = Math.floor((end.bytesWritten - end.writableLength) / FRAME_BYTES);
    expect(taking.mock.calls.length - sent).toBeLessThan(events.length - PARTS + 5);
    end.uncork();
    checkAll(await Array.fromAsync(turnEventsIn(response)));
  });

  it('nothing more is read that it asks, until it reads on itself', async () => {
    using server = new ServerSockets(app.url);
    const socket = await openSocket(app.url);
    const { only: end } = server;
    const query = 'query ($id: ID!) { turn(id: $id) { answer { text } } }';
    const answerBytes = PARTS * PART.length;
    const ask = (id: string): void =>
      socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query, variables: { id: turnId } } }));
    let answers = 0;
    socket.on('message', (data: Buffer) => {
      if (JSON.parse(data.toString()).type === 'complete') answers += 1;
    });
    end.cork();
    ask('1');
    await until(() => end.writableLength > answerBytes);
    ask('2');
    await until(() => end.isPaused());
    ask('3');
    await whileAnotherReadsAll();
    expect(end.writableLength).toBeLessThan(2 * answerBytes + FRAME_BYTES);
    end.uncork();
    await until(() => answers === 3);
    socket.close();
  });
});

describe('a client that is gone', () => {
  it('is let go when it gives no sign of life, and not while it does', async () => {
    vi.useFakeTimers({ toNotFake: ['setImmediate', 'performance'] });
    try {
      const [lively, silent] = [await openSocket(app.url), await openSocket(app.url, { autoPong: false })];
      const asked = Promise.all([once(lively, 'ping'), once(silent, 'ping')]);
      vi.advanceTimersByTime(12_000);
      await asked;
      // Behind the answer to the server's question, so that this is heard when that is answered.
      lively.send(JSON.stringify({ type: 'ping' }));
      await once(lively, 'message');
      const gone = once(silent, 'close');
      const askedAgain = once(lively, 'ping');
      vi.advanceTimersByTime(12_000);
      expect(await gone).toEqual([1006, expect.anything()]);
      await askedAgain;
      lively.close();
    } finally {
      vi.useRealTimers();
    }
  });

  describe('or does what it should not, is nobody’s mistake here, so that nothing is logged', () => {
    let logged: import('vitest').MockInstance<(...values: unknown[]) => void>[];

    beforeEach(() => {
      const { logger } = app.server.resources;
      logged = [console, logger].flatMap((log) => [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')]);
    });

    const checkNothingLogged = (): void => {
      for (const { mock } of logged) expect(mock.calls).toEqual([]);
    };

    it.each<[string, (connection: Socket) => Promise<unknown>]>([
      [
        'over a socket',
        async (connection) => {
          const socket = await openSocket(app.url, { createConnection: () => connection });
          socket.on('error', () => undefined);
          subscribe(socket, '1');
        },
      ],
      ['over an event stream', (connection) => openStream(app.url, connection).catch(() => undefined)],
    ])('gone in the middle of an event %s', async (_what, open) => {
      for (let time = 0; time < 10; time += 1) {
        using server = new ServerSockets(app.url);
        const { port } = new URL(app.url);
        const connection = connect(Number(port), 'localhost');
        connection.on('error', () => undefined);
        await once(connection, 'connect');
        const opened = open(connection);
        await until(() => server.only.bytesWritten > FRAME_BYTES);
        server.only.cork();
        await until(() => server.only.writableLength > 0);
        connection.resetAndDestroy();
        await until(() => server.only.closed);
        await opened;
      }
      checkNothingLogged();
      await whileAnotherReadsAll();
    });

    it('sending more than is taken', async () => {
      const socket = await openSocket(app.url);
      socket.on('error', () => undefined);
      const closed = once(socket, 'close');
      socket.send('x'.repeat(1024 * 1024 + 1));
      expect(await closed).toEqual([1009, expect.anything()]);
      checkNothingLogged();
    });
  });
});
