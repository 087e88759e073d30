import type { FastifyInstance } from 'fastify';

import type { Logger } from '../../common/process/logger.js';
import type { Metrics } from '../../platform/metrics/metrics.js';

const NOISE = /^\/(health\/|metrics|explorer)/;

/** One line a request, with the ids that it concerns; those of monitors and the explorer's files at debug level. */
export function logRequests(fastify: FastifyInstance, logger: Logger, metrics: Metrics): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const answered = {
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: `${reply.statusCode}`,
    };
    metrics.requestAnswered(answered, reply.elapsedTime / 1000);
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
}

/** A signed link is the right to what it leads to, for as long as it holds: it is not for the log. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(/^\/(files|uploads)\/.*/, '/$1/…');
}
