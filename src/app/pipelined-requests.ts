import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

/** No browser, no proxy and no client library sends one before the last is answered. */
const MOST_UNANSWERED = 5;

/**
 * Cuts connections on which many requests are sent without waiting for answers. Node reads them as they come, hundreds in
 * one piece, and none of other connections meanwhile.
 */
export function cutPipelines(fastify: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MOST_UNANSWERED) {
      // Whatever has been read of it already is not looked at any more.
      reply.hijack();
      socket.destroy();
      return;
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}
