import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Config, type ServerRole } from '../../common/config/config.js';
import { isReadOnlyFailure } from '../../platform/database/connection-failure.js';
import { Database } from '../../platform/database/database.js';
import { pendingMigrations } from '../../platform/database/migrate.js';
import type { ModelCircuit } from '../../llm/guard/guarded-chat-model.js';
import { ModelProviders } from '../../llm/providers/model-providers.js';
import { type Listening, PubSub } from '../../platform/pubsub/pub-sub.js';
import { type SearchState, SemanticLeg } from '../../documents/search-index/semantic/semantic-leg.service.js';
import { TurnLog } from '../../conversations/turns/log/turn-log.service.js';

/** Without search by meaning, or its embedder, what is asked for is found by its words: the process is ready. */
interface Readiness extends SearchState {
  /** Degraded: it can do its work but for something that no restart and no other process would mend. */
  status: 'ready' | 'degraded' | 'not ready';
  role: ServerRole;
  database: 'ok' | 'read-only' | 'unreachable';
  migrations: 'ok' | 'pending' | 'unknown';
  /** Whether hints of other replicas arrive. */
  listening: Listening['state'];
  /** Whether the events of turns get into the database as they should; `late` ones are stored as soon as they can be. */
  events: 'ok' | 'late';
  model: 'configured' | 'offline stand-in';
  /**
   * Whether calls are let through to each, and what its provider makes of the key. None of them makes the process unready: without a model it still takes
   * questions in and shows answers, no other process reaches the model any better, and the turns wait and try again.
   */
  models: ModelCircuit[];
}

const CHECK_TIMEOUT_MS = 3_000;

/**
 * What is stored is found without hints, only later: a moment without them is no reason to send clients elsewhere, a
 * longer time is.
 */
const MAX_DEAF_MS = 5_000;

/** Until then everybody who watches an answer of this process waits. */
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

  /** The process runs and answers. */
  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** The process can do its work: 200, or 503 with what is missing. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    // Probes that come faster than the database answers share one look.
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
    // One that does not come back yet is not given another connection to wait on.
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
