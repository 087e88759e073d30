import { Controller, Get, Res, Module } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ModelCircuit } from '@palabre/llm-client';

import { Config, type ServerRole } from '../../common/config/config.js';
import { TurnLog } from '../../conversations/turns/log/turn-log.service.js';
import { TurnsModule } from '../../conversations/turns/turns.module.js';
import { SearchModule } from '../../documents/search-index/search.module.js';
import { type SearchState, SemanticLeg } from '../../documents/search-index/semantic/semantic-leg.service.js';
import { ModelProviders } from '../../llm/model-providers.js';
import { isReadOnlyFailure } from '../../platform/database/connection-failure.js';
import { Database } from '../../platform/database/database.js';
import { pendingMigrations } from '../../platform/database/migrate.js';
import { type Listening, PubSub } from '../../platform/pubsub/pub-sub.js';
import { MetricsController } from './metrics.controller.js';

/** Without semantic search or its embedder the process is ready, as lexical search works. */
interface Readiness extends SearchState {
  /** Degraded: it works, except for a problem that neither a restart nor another process would solve. */
  status: 'ready' | 'degraded' | 'not ready';
  role: ServerRole;
  database: 'ok' | 'read-only' | 'unreachable';
  migrations: 'ok' | 'pending' | 'unknown';
  /** Whether hints of other replicas arrive. */
  listening: Listening['state'];
  /** Whether events are stored in time. `late` ones are stored as soon as possible. */
  events: 'ok' | 'late';
  model: 'configured' | 'offline stand-in';
  /** These do not affect readiness: other processes could not reach the model either, and turns wait and retry. */
  models: ModelCircuit[];
}

const CHECK_TIMEOUT_MS = 3_000;

/** Without hints everything is found, only later. So a short loss is tolerated. */
const MAX_DEAF_MS = 5_000;

/** Meanwhile all followers of this process's answers wait. */
const MAX_STORING_MS = 3_000;

@Controller('health')
export class HealthController {
  private checking: Promise<Readiness> | null = null;
  private looking: Promise<Pick<Readiness, 'database' | 'migrations'>> | null = null;

  constructor(
    private readonly database: Database,
    private readonly pubSub: PubSub,
    private readonly config: Config,
    private readonly modelProviders: ModelProviders,
    private readonly semantic: SemanticLeg,
    private readonly log: TurnLog,
  ) {}

  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    // Concurrent probes share one check.
    this.checking ??= this.check().finally(() => (this.checking = null));
    const readiness = await this.checking;
    void reply.status(readiness.status === 'not ready' ? 503 : 200);
    return readiness;
  }

  private async check(): Promise<Readiness> {
    const stored = await this.lookAtDatabase();
    const { listening } = this.pubSub;
    const isDeaf = listening.state === 'lost' && listening.forMs > MAX_DEAF_MS;
    const isLate = (this.log.storingForMs ?? 0) > MAX_STORING_MS;
    const models = this.modelProviders.circuits();
    const isReady = stored.migrations === 'ok' && !isDeaf && !isLate;
    const isDegraded = models.some(({ key }) => key === 'refused');
    return {
      status: isReady ? (isDegraded ? 'degraded' : 'ready') : 'not ready',
      role: this.config.role,
      ...stored,
      listening: listening.state,
      events: isLate ? 'late' : 'ok',
      model: this.config.model.baseUrl === null ? 'offline stand-in' : 'configured',
      models,
      ...this.semantic.state,
    };
  }

  private async lookAtDatabase(): Promise<Pick<Readiness, 'database' | 'migrations'>> {
    // A check that hangs does not get another connection.
    this.looking ??= this.lookAtSchema().finally(() => (this.looking = null));
    try {
      return await withTimeout(this.looking);
    } catch (error) {
      return { database: isReadOnlyFailure(error) ? 'read-only' : 'unreachable', migrations: 'unknown' };
    }
  }

  private async lookAtSchema(): Promise<Pick<Readiness, 'database' | 'migrations'>> {
    await this.database.check();
    const pending = await pendingMigrations(this.database.dataSource);
    return { database: 'ok', migrations: pending ? 'pending' : 'ok' };
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The database does not answer.')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

@Module({ imports: [SearchModule, TurnsModule], controllers: [HealthController, MetricsController] })
export class HealthModule {}
