import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';

import type { Viewer } from '../../companies/auth/viewer.js';
import { holdLargeBody } from './request-bodies.js';

const viewer = { companyId: 'a company' } as Viewer;

/** One more than may be held. */
const COUNT = 9;

it('holds a body until it has come, however long its answer takes, or until its sender has left', async () => {
  const waiting: ServerResponse[] = [];
  let heldOrWaiting = 0;
  const allCounted = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const answer = async (raw: IncomingMessage, response: ServerResponse): Promise<void> => {
    const held = holdLargeBody({ raw, headers: raw.headers } as FastifyRequest, raw, viewer);
    if ((heldOrWaiting += 1) === COUNT) allCounted.resolve();
    const body = (await held).resume();
    await once(body, 'end');
    if (waiting.push(response) === COUNT) all.resolve();
  };
  const server = createServer((raw, response) => void answer(raw, response).catch(() => response.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send = () =>
    request({ port, method: 'POST', agent: false, headers: { 'transfer-encoding': 'chunked' } });

  const gone = Array.from({ length: COUNT }, send);
  for (const each of gone) each.on('error', () => undefined).write('beginning');
  await allCounted.promise;
  for (const each of gone) each.destroy();
  for (const each of Array.from({ length: COUNT }, send)) each.on('error', () => undefined).end('all of it');
  await all.promise;
  expect(waiting).toHaveLength(COUNT);
  server.closeAllConnections();
  await once(server.close(), 'close');
});
