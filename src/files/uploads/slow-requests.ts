import type { FastifyInstance } from 'fastify';

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** An upload may take as long over a slow connection as its ticket lasts. */
export const MAX_UPLOAD_MS = 15 * 60 * 1000;

/** Ends requests that have not come in whole after `timeoutMs`, all but uploads, which end when nothing comes. */
export const endSlowRequests = (fastify: FastifyInstance, timeoutMs: number): void => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw, routeOptions } = request;
    if (!routeOptions.url?.startsWith('/uploads/')) {
      const timer = setTimeout(() => {
        if (!raw.complete) raw.socket.end(ANSWER, () => raw.socket.destroy());
      }, timeoutMs);
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
};
