import { createHash, timingSafeEqual } from 'node:crypto';

import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Config } from '../../common/config/config.js';
import { Database } from '../../platform/database/database.js';
import { ModelProviders } from '../../llm/model-providers.js';
import { Metrics } from '../../platform/metrics/metrics.js';

/** Metrics in the format of Prometheus. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    database: Database,
    circuits: ModelProviders,
  ) {
    metrics.watch(
      'palabre_database_connections',
      'Connections of the pool, by what they do.',
      ['state'],
      () => {
        const { used, idle } = database.connections;
        return [
          { labels: { state: 'used' }, value: used },
          { labels: { state: 'idle' }, value: idle },
        ];
      },
    );
    metrics.watch(
      'palabre_database_waiting',
      'Transactions that wait for a connection.',
      [],
      () => database.connections.waiting,
    );
    metrics.watch(
      'palabre_model_circuit_open',
      '1 while no calls are let through to the model, which has failed several times in a row.',
      ['gen_ai_request_model'],
      () =>
        circuits.circuits().map(({ model, circuit }) => ({
          labels: { gen_ai_request_model: model },
          value: circuit === 'open' ? 1 : 0,
        })),
    );
  }

  /** 401 without the operator's token, if one is set. */
  @Get()
  async read(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Headers('authorization') authorization = '',
  ): Promise<string | object> {
    const { metricsToken } = this.config;
    if (metricsToken !== null && !isSame(authorization, `Bearer ${metricsToken}`)) {
      void reply.status(401).header('www-authenticate', 'Bearer');
      const message = 'Send the token in METRICS_TOKEN: `authorization: Bearer …`.';
      return { errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] };
    }
    const { type, text } = await this.metrics.write();
    void reply.header('content-type', type);
    return text;
  }
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(wanted));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
