import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { pendingMigrations } from '../database/migrate.js';

interface Readiness {
  status: 'ready' | 'not ready';
  database: 'ok' | 'unreachable';
  migrations: 'ok' | 'pending' | 'unknown';
  model: 'configured' | 'offline stand-in';
}

const CHECK_TIMEOUT_MS = 3_000;

@Controller('health')
export class HealthController {
  private checking: Promise<Readiness> | null = null;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
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
    const model = this.config.model.baseUrl === null ? 'offline stand-in' : 'configured';
    try {
      const pending = await withTimeout(pendingMigrations(this.database.dataSource));
      const status = pending ? 'not ready' : 'ready';
      return { status, database: 'ok', migrations: pending ? 'pending' : 'ok', model };
    } catch {
      return { status: 'not ready', database: 'unreachable', migrations: 'unknown', model };
    }
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
