import type { FastifyInstance } from 'fastify';

import type { Logger } from '../common/logger.js';

const NOISE = /^\/(health\/|explorer)/;

/** One line a request, with the ids that it concerns; health probes and the explorer's files at debug level. */
export const logRequests = (fastify: FastifyInstance, logger: Logger): void => {
  fastify.addHook('onResponse', async (request, reply) => {
    const { viewer, operation } = request.asked ?? {};
    logger[NOISE.test(request.url) ? 'debug' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(operation ? { operation } : {}),
        ...(viewer ? { companyId: viewer.companyId, memberId: viewer.id } : {}),
      },
      'request',
    );
  });
};

/** A signed link is the right to what it leads to, for as long as it holds: it is not for the log. */
const pathOf = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(/^\/(files|uploads)\/.*/, '/$1/…');
