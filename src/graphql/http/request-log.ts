import type { FastifyInstance } from 'fastify';

import type { Logger } from '../../common/process/logger.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { within } from '../../platform/tracing/span.js';
import type { Tracing } from '../../platform/tracing/tracing.js';

const NOISE = /^\/(health\/|metrics|explorer|assets\/|icon)/;

/** Logs one line per request with the ids concerned. Monitoring and files for browsers are at debug level. */
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

/** Work of a request belongs to its caller's trace. Set after the body is read, which breaks the async context. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  if (tracing.receive(null) === null) return;
  fastify.addHook('preHandler', (request, _reply, done) =>
    within(tracing.receive(request.headers.traceparent), done),
  );
}

/** A signed link grants access while it is valid, so it is not logged. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(/^\/(files|uploads)\/.*/, '/$1/…');
}
