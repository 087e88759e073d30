import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { backoffMs } from '../common/backoff.js';
import type { Logger } from '../common/process/logger.js';

const RECONNECT = { firstMs: 100, mostMs: 2_000 };
const KEEP_ALIVE_AFTER_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

export interface ListenOptions {
  url: string;
  /** A plain lower-case word: it goes into a statement as it is. */
  channel: string;
  logger: Logger;
  onPayload(payload: string): void;
  /** Listening again, after a time in which payloads may have been lost. */
  onGap(): void;
  /** How often the connection is looked at, and how long an answer may take. */
  checks: { everyMs: number; timeoutMs: number };
}

/** A connection of its own that listens to one channel, for ever: when it is lost, there will be another. */
export class ListenConnection {
  private client: pg.Client | null = null;
  private checking: NodeJS.Timeout | null = null;
  private lostAt: number | null = null;
  private readonly closing = new AbortController();

  private constructor(private readonly options: ListenOptions) {}

  /** Rejects when the first connection cannot be made. */
  static async open(options: ListenOptions): Promise<ListenConnection> {
    const connection = new ListenConnection(options);
    await connection.connect();
    return connection;
  }

  /** For how long nothing has been heard; null: it listens. */
  get lostForMs(): number | null {
    return this.lostAt === null ? null : performance.now() - this.lostAt;
  }

  close(): void {
    this.closing.abort();
    this.dropClient();
  }

  private async connect(): Promise<void> {
    const { url, channel, checks } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'palabre listen',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      query_timeout: checks.timeoutMs,
    });
    client.on('error', (error) => this.lose(client, error));
    client.on('notification', ({ payload }) => this.options.onPayload(payload ?? ''));
    const { signal } = this.closing;
    const abandon = (): void => destroy(client);
    signal.addEventListener('abort', abandon);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      signal.throwIfAborted();
    } catch (error) {
      abandon();
      throw error;
    } finally {
      signal.removeEventListener('abort', abandon);
    }
    this.client = client;
    this.checking = setInterval(() => void this.check(client), checks.everyMs);
  }

  /** A connection that is dead at the other end only says nothing, and so does one behind a pooler: it is asked. */
  private async check(client: pg.Client): Promise<void> {
    try {
      const sql = 'SELECT 1 FROM pg_listening_channels() AS channel WHERE channel = $1';
      const { rowCount } = await client.query(sql, [this.options.channel]);
      if (rowCount !== 1)
        throw new Error('The connection does not listen any more. It needs a session of its own.');
    } catch (error) {
      this.lose(client, error);
    }
  }

  private lose(client: pg.Client, error: unknown): void {
    if (client !== this.client) return;
    this.dropClient();
    this.lostAt = performance.now();
    this.options.logger.warn({ err: error }, 'hints of other replicas cannot be heard; connecting again');
    void this.reconnect();
  }

  private async reconnect(): Promise<void> {
    const { signal } = this.closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await sleep(backoffMs(RECONNECT, failures), undefined, { signal });
        await this.connect();
      } catch (error) {
        this.options.logger.debug({ err: error }, 'no connection yet to hear hints of other replicas');
        continue;
      }
      this.options.logger.info({ lostForMs: Math.round(this.lostForMs ?? 0) }, 'listening again');
      this.lostAt = null;
      return this.options.onGap();
    }
  }

  private dropClient(): void {
    if (this.checking) clearInterval(this.checking);
    if (this.client) destroy(this.client);
    this.checking = null;
    this.client = null;
  }
}

/** Not `end`, which waits for an answer that a dead connection never gives. */
const destroy = (client: pg.Client): void => {
  client.connection.stream.destroy();
};
