import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Config, type ServerRole } from '../../config/config.js';
import { isReadOnlyFailure } from '../../database/connection-failure.js';
import { Database } from '../../database/database.js';
import { pendingMigrations } from '../../database/schema/migrate.js';
import type { ModelCircuit } from '../../llm/guard/guarded-chat-model.js';
import { ModelCircuits } from '../../llm/guard/model-circuits.js';
import { type Listening, PubSub } from '../../pubsub/pub-sub.js';
import { type SearchState, SemanticLeg } from '../../search/semantic/semantic-leg.service.js';

/** Without search by meaning, or its embedder, what is asked for is found by its words: the process is ready. */
interface Readiness extends SearchState {
  status: 'ready' | 'not ready';
  role: ServerRole;
  database: 'ok' | 'read-only' | 'unreachable';
  migrations: 'ok' | 'pending' | 'unknown';
  /** Whether hints of other replicas arrive. */
  listening: Listening['state'];
  model: 'configured' | 'offline stand-in';
  /**
   * Whether calls are let through to each. None of them makes the process unready: without a model it still takes
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

@Controller('health')
export class HealthController {
  private checking: Promise<Readiness> | null = null;

  constructor(
    private readonly database: Database,
    private readonly pubSub: PubSub,
    private readonly config: Config,
    private readonly circuits: ModelCircuits,
    private readonly semantic: SemanticLeg,
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
    void reply.status(readiness.status === 'ready' ? 200 : 503);
    return readiness;
  }

  private async check(): Promise<Readiness> {
    const stored = await this.lookAtDatabase();
    const { listening } = this.pubSub;
    const isDeaf = listening.state === 'lost' && listening.forMs > MAX_DEAF_MS;
    return {
      status: stored.migrations === 'ok' && !isDeaf ? 'ready' : 'not ready',
      role: this.config.role,
      ...stored,
      listening: listening.state,
      model: this.config.model.baseUrl === null ? 'offline stand-in' : 'configured',
      models: this.circuits.list(),
      ...this.semantic.state,
    };
  }

  private async lookAtDatabase(): Promise<Pick<Readiness, 'database' | 'migrations'>> {
    try {
      return await withTimeout(this.lookAtSchema());
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

const withTimeout = async <T>(work: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The database does not answer.')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
