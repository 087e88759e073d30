import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Attack, Attacker } from '../attacker.js';
import { scripted } from './turns.js';

const MANY = 300;
const HEAD = 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

const UPGRADE =
  'GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

function subscribe(id: string, query: string): string {
  return JSON.stringify({ id, type: 'subscribe', payload: { query } });
}

/** Opens connections and has each say something, until the attack is over. */
function holding(speak: (attacker: Attacker) => Promise<unknown>, count = MANY) {
  return async (attacker: Attacker): Promise<void> => {
    await Promise.all(
      Array.from({ length: count }, async () => {
        try {
          await speak(attacker);
        } catch {
          attacker.note('refused');
        }
      }),
    );
    await attacker.untilOver();
  };
}

/** Writes one piece after the other, with a pause after each. */
function slowly(first: string, piece: string) {
  return holding(async (attacker) => {
    const socket = await attacker.connection();
    socket.write(first);
    while (!attacker.signal.aborted && !socket.destroyed) {
      socket.write(piece);
      await sleep(100);
    }
  });
}

function signedHead({ token }: Attacker): string {
  return `${HEAD}Authorization: Bearer ${token}\r\n`;
}

function operation(attacker: Attacker, query: string): string {
  const body = JSON.stringify({ query });
  return `${signedHead(attacker)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const SCHEMA =
  '{ __schema { types { name description fields { name description args { name description } } } } }';

/** Events that never come, over SSE. */
async function streaming(attacker: Attacker, query: string): Promise<void> {
  const response = await attacker.request('/graphql/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  });
  await response.body?.getReader().read();
}

const START = `mutation ($input: StartTurnInput!) { startTurn(input: $input) { ... on TurnAccepted { turn { id } } } }`;
const METHODS = ['CONNECT', 'TRACE', 'PRI', 'PROPFIND', 'QUERY', 'PATCH', 'M-SEARCH'];

const ADDED = 'subscription { notificationAdded { id } }';

/** Connections, sockets and streams: many, silent, slow or talkative ones. */
export const connectionAttacks: Attack[] = [
  { name: 'connections that say nothing', run: holding((attacker) => attacker.connection()) },
  {
    name: 'connections opened and cut',
    run: (attacker) => attacker.storm(16, async () => void (await attacker.connection()).destroy()),
  },
  { name: 'heads written slowly', run: slowly('GET /graphql HTTP/1.1\r\n', 'X-A: b\r\n') },
  { name: 'bodies written slowly', isQuick: true, run: slowly(`${HEAD}Content-Length: 100000\r\n\r\n`, 'a') },
  { name: 'chunks written slowly', run: slowly(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n') },
  {
    name: 'bodies that never come',
    run: holding(async (attacker) =>
      (await attacker.connection()).write(`${HEAD}Content-Length: 900000\r\n\r\n{`),
    ),
  },
  {
    name: 'answers that nobody reads',
    run: holding(async (attacker) => {
      const socket = await attacker.connection();
      socket.pause();
      socket.write(operation(attacker, SCHEMA).repeat(20));
    }, 50),
  },
  {
    name: '1,000 requests on a connection without waiting',
    run: (attacker) =>
      attacker.storm(2, async () => {
        const socket = await attacker.connection();
        socket.resume().write(operation(attacker, '{ viewer { id } }').repeat(1_000));
        await sleep(200);
        socket.destroy();
      }),
  },
  { name: 'sockets that never sign in', run: holding((attacker) => attacker.webSocket(false), 500) },
  { name: 'sockets, as many as there are', run: holding((attacker) => attacker.webSocket(true), 400) },
  { name: 'pings before signing in', run: (attacker) => attacker.flood(false, () => '{"type":"ping"}') },
  { name: 'pings', run: (attacker) => attacker.flood(true, () => '{"type":"ping"}') },
  {
    name: 'pings of 1 KB',
    run: (attacker) =>
      attacker.flood(true, () => JSON.stringify({ type: 'ping', payload: { a: 'a'.repeat(1_000) } })),
  },
  {
    name: 'pings of 900 KB',
    run: (attacker) =>
      attacker.flood(true, () => JSON.stringify({ type: 'ping', payload: { a: 'a'.repeat(900_000) } })),
  },
  {
    name: 'completes of what was never begun',
    run: (attacker) => attacker.flood(true, (count) => `{"type":"complete","id":"${count}"}`),
  },
  {
    name: 'subscribes that are refused',
    run: (attacker) => attacker.flood(true, (count) => subscribe(String(count), '{ nothing }')),
  },
  {
    name: 'subscribes before signing in',
    run: (attacker) => attacker.flood(false, (count) => subscribe(String(count), '{ viewer { id } }')),
  },
  {
    name: 'the same subscribe again and again',
    run: (attacker) => attacker.flood(true, () => subscribe('1', ADDED)),
  },
  {
    name: 'subscriptions begun and left',
    isQuick: true,
    run: (attacker) =>
      attacker.flood(true, (count) =>
        count % 2 === 0 ? subscribe(String(count), ADDED) : `{"type":"complete","id":"${count - 1}"}`,
      ),
  },
  {
    name: 'queries on a socket',
    run: (attacker) =>
      attacker.flood(true, (count) => subscribe(String(count), `{ viewer { id } } # ${count}`)),
  },
  { name: 'brackets on a socket', run: (attacker) => attacker.flood(true, () => '['.repeat(100_000)) },
  { name: 'messages that are not JSON', run: (attacker) => attacker.flood(true, () => 'x'.repeat(1_000)) },
  {
    name: 'messages in pieces that never end',
    run: holding(async (attacker) => {
      const socket = await attacker.webSocket(true);
      while (!attacker.signal.aborted && socket.readyState === socket.OPEN) {
        socket.send('a'.repeat(1_000), { fin: false });
        await sleep(10);
      }
    }, 20),
  },
  {
    name: 'results on a socket that nobody reads',
    run: holding(async (attacker) => {
      const socket = await attacker.webSocket(true);
      socket.pause();
      for (let count = 0; count < 90; count += 1) socket.send(subscribe(String(count), SCHEMA));
    }, 20),
  },
  {
    name: 'subscriptions held open',
    run: holding(async (attacker) => {
      const socket = await attacker.webSocket(true);
      for (let count = 0; count < 90; count += 1) socket.send(subscribe(String(count), ADDED));
    }, 50),
  },
  {
    name: 'subscriptions to turns of others',
    run: (attacker) =>
      attacker.flood(true, (count) =>
        subscribe(String(count), `subscription { turnEvents(turnId: "${randomUUID()}") { sequence } }`),
      ),
  },
  {
    name: 'a turn that is followed 1,000 times',
    run: async (attacker) => {
      const { startTurn } = await attacker.ask<{ startTurn: { turn: { id: string } } }>(START, {
        input: { assistantKey: 'mefali', message: scripted({ words: 5_000, pauseMs: 2 }) },
      });
      const query = `subscription { turnEvents(turnId: "${startTurn.turn.id}") { __typename sequence } }`;
      await holding(async () => {
        const socket = await attacker.webSocket(true);
        for (let count = 0; count < 100; count += 1) socket.send(subscribe(String(count), query));
      }, 10)(attacker);
    },
  },
  {
    name: 'thousands of subscriptions ended at once',
    run: (attacker) =>
      attacker.storm(10, async () => {
        const socket = await attacker.webSocket(true);
        for (let count = 0; count < 90; count += 1) socket.send(subscribe(String(count), ADDED));
        await sleep(300);
        for (let count = 0; count < 90; count += 1) socket.send(`{"type":"complete","id":"${count}"}`);
        socket.terminate();
      }),
  },
  {
    name: 'sockets closed on one side',
    run: holding(async (attacker) => {
      const socket = await attacker.connection();
      socket.resume().write(UPGRADE);
      await once(socket, 'data');
      socket.end();
    }, 200),
  },
  {
    name: 'frames of no byte',
    run: (attacker) =>
      attacker.storm(2, async () => {
        const socket = await attacker.connection();
        // A text that goes on, then empty pieces of it, each behind a mask.
        socket.resume().write(`${UPGRADE}${'\x01\x80aaaa'}${'\x00\x80aaaa'.repeat(200_000)}`, 'latin1');
        await once(socket, 'close');
      }),
  },
  {
    name: 'chunks with long extensions',
    run: (attacker) =>
      attacker.storm(4, () =>
        attacker.sendAsItIs(
          `${HEAD}Transfer-Encoding: chunked\r\n\r\n${`1;${'a'.repeat(4_000)}\r\na\r\n`.repeat(100)}0\r\n\r\n`,
        ),
      ),
  },
  {
    name: 'methods and versions of every kind',
    run: (attacker) =>
      attacker.storm(8, (count) =>
        attacker.sendAsItIs(
          `${METHODS[count % METHODS.length]} ${count % 2 ? '/graphql' : 'http://a/graphql'} HTTP/1.${count % 3}\r\nHost: a\r\nExpect: 100-continue\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n`,
        ),
      ),
  },
  {
    name: 'frames that are none',
    run: (attacker) =>
      attacker.storm(4, async () => {
        const socket = await attacker.connection();
        socket.resume().write(`${UPGRADE}${'\xff\xff'.repeat(50_000)}`, 'latin1');
        await once(socket, 'close');
      }),
  },
  {
    name: 'operations of 900 KB on a socket',
    run: holding(async (attacker) => {
      const socket = await attacker.webSocket(true);
      const payload = { query: '{ viewer { id } }', variables: { unused: 'x'.repeat(900_000) } };
      for (let sent = 0; sent < 95; sent += 1)
        socket.send(JSON.stringify({ type: 'subscribe', id: String(sent), payload }));
    }, 20),
  },
  {
    name: 'ends of nothing of 900 KB',
    run: holding(async (attacker) => {
      const socket = await attacker.webSocket(true);
      const message = JSON.stringify({ type: 'complete', id: '1', payload: 'x'.repeat(900_000) });
      for (let sent = 0; sent < 95; sent += 1) socket.send(message);
    }, 20),
  },
  {
    name: 'pings of the protocol that nobody reads the answers to',
    run: (attacker) =>
      attacker.storm(4, async () => {
        const socket = await attacker.connection();
        socket.write(UPGRADE);
        await once(socket, 'readable');
        socket.write(`\x89\xfdaaaa${'a'.repeat(125)}`.repeat(100_000), 'latin1');
        await once(socket, 'close');
      }),
  },
  {
    name: 'streams that nobody reads',
    run: holding(async (attacker) => {
      const socket = await attacker.connection();
      socket.pause();
      const body = JSON.stringify({ query: SCHEMA });
      const head = signedHead(attacker).replace('/graphql ', '/graphql/stream ');
      socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    }, 100),
  },
  { name: 'streams held open', run: holding((attacker) => streaming(attacker, ADDED)) },
  {
    name: 'streams opened and left',
    run: (attacker) => attacker.storm(8, () => streaming(attacker, '{ viewer { id } }')),
  },
];
