import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import Fastify, { type FastifyInstance } from 'fastify';

import { endSlowRequests } from './incoming-body.js';

let fastify: FastifyInstance;
/** Lets the answers to `/slow` go. */
let answer: () => void;

beforeEach(async () => {
  const answered = Promise.withResolvers<void>();
  answer = answered.resolve;
  fastify = Fastify();
  endSlowRequests(fastify, 50);
  fastify.put('/graphql', async ({ body }) => ({ body }));
  fastify.put('/uploads/:token', async ({ body }) => ({ body }));
  fastify.put('/slow', async ({ body }) => answered.promise.then(() => ({ body })));
  await fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => fastify.close());

/** Begins a request of 10 bytes. */
async function begin(path: string, bytes: string): Promise<Socket> {
  const { port } = fastify.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [`PUT ${path} HTTP/1.1`, 'Host: a', 'Connection: close', 'Content-Length: 10'];
  socket.write([...head, 'Content-Type: text/plain', '', bytes].join('\r\n'));
  return socket;
}

it('ends a request whose body does not arrive', async () => {
  expect(await text(await begin('/graphql', 'Bon'))).toMatch(/^HTTP\/1\.1 408 /);
});

it('does not end a slow upload', async () => {
  const upload = await begin('/uploads/x', 'Bon');
  // By the time that this one, begun later, is ended, the first one would have been.
  expect(await text(await begin('/graphql', 'Bon'))).toContain(' 408 ');
  upload.write('jour ca');
  expect(await text(upload)).toContain('{"body":"Bonjour ca"}');
});

it('does not end a complete request that takes long to answer', async () => {
  const slow = await begin('/slow', 'Bonjour ca');
  expect(await text(await begin('/graphql', 'Bon'))).toContain(' 408 ');
  answer();
  expect(await text(slow)).toContain('{"body":"Bonjour ca"}');
});
