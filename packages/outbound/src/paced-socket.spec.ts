import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { paceReading } from './paced-socket.js';
import { UndiciOutboundHttp } from './undici-outbound-http.js';

const SLICE_BYTES = 64 * 1024;

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const PACKED = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n';
const LETTERS = Buffer.alloc(SLICE_BYTES, 'a');

/** Endless answers without a countable body: the beginning, and what repeats. */
const endless: Readonly<Record<string, readonly [head: string | Buffer, rest: Buffer]>> = {
  'a chunk extension': [`${CHUNKED}1;`, LETTERS],
  'a status line': ['HTTP/1.1 200 ', LETTERS],
  'interim answers': ['', Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000))],
  'packed parts of nothing': [PACKED, Buffer.concat(Array<Buffer>(3_000).fill(gzipSync('')))],
  'the name of a packed file': [
    Buffer.concat([Buffer.from(PACKED), Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])]),
    LETTERS,
  ],
};

let server: Server;
let answer: readonly [head: string | Buffer, rest: Buffer] = ['', LETTERS];

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(answer[0]);
      const send = (): void => {
        while (!socket.destroyed && socket.write(answer[1]));
      };
      socket.on('drain', send);
      send();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

function portOf({ port }: AddressInfo): number {
  return port;
}

describe('an answer of a server', () => {
  it.each(Object.entries(endless))('ends where it is no answer any more: %s', async (_what, sent) => {
    answer = sent;
    const port = portOf(server.address() as AddressInfo);
    const client = new UndiciOutboundHttp({ allow: ['127.0.0.1'] });
    const { signal } = new AbortController();
    const url = `http://127.0.0.1:${port}/`;
    const request = client.request({ url, requester: 'a', timeoutMs: 60_000, maxBytes: 1_000, signal });
    await expect(request).rejects.toMatchObject({ name: 'OutboundError', code: 'TOO_LARGE' });
    await client.close();
  });
});

/** How much is read from the sockets in each round of the event loop, until `bytes` have come. */
function readInTurns(sockets: readonly Socket[], bytes: number): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const turns: number[] = [0];
  const turn = (): void => {
    if (turns.reduce((sum, one) => sum + one, 0) >= bytes) return resolve(turns);
    turns.push(0);
    setImmediate(turn);
  };
  for (const socket of sockets) {
    socket.on('readable', () => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null)
        turns[turns.length - 1]! += chunk.length;
    });
  }
  setImmediate(turn);
  return promise;
}

it('is read in slices, of all servers together, so that others have their turn', async () => {
  answer = ['', LETTERS];
  const port = portOf(server.address() as AddressInfo);
  const sockets = Array.from({ length: 8 }, () => paceReading(connect(port, '127.0.0.1')));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const reading = readInTurns(sockets, 8 * 1024 * 1024);
  for (const socket of sockets) socket.write('GET');
  const most = Math.max(...(await reading));
  for (const socket of sockets) socket.destroy();
  // The slice, and the piece that exceeds it.
  expect(most).toBeLessThanOrEqual(4 * SLICE_BYTES);
});

it('is counted anew for each request', async () => {
  answer = ['', LETTERS];
  const port = portOf(server.address() as AddressInfo);
  const socket = paceReading(connect(port, '127.0.0.1'));
  socket.write('GET');
  let bytes = 0;
  socket.on('readable', () => {
    for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
      bytes += chunk.length;
      socket.write('GET');
    }
    if (bytes > 40 * 1024 * 1024) socket.end().destroy();
  });
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(40 * 1024 * 1024);
});
