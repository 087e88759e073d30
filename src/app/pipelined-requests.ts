import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

/** Browsers, proxies and client libraries send no request before the last one is answered. */
const MAX_UNANSWERED = 5;

/**
 * Closes connections that send many requests without waiting for answers. Node would process hundreds of them in one
 * go, while other connections wait.
 */
export function cutPipelines(fastify: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MAX_UNANSWERED) {
      // The rest of what was already read is ignored.
      reply.hijack();
      socket.destroy();
      return;
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  });
}
