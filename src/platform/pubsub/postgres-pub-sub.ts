import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { backoffMs } from '@palabre/async';

import type { Logger } from '../../common/process/logger.js';
import type { Transaction } from '../database/transaction.js';
import { Listeners } from './in-process-pub-sub.js';
import { type Listening, PubSub, MAX_PAYLOAD_BYTES } from './pub-sub.js';

const CHANNEL = 'palabre';

/** A dead connection is noticed within 10 seconds. */
const CHECKS = { everyMs: 5_000, timeoutMs: 4_000 };

const GAP = 'gap';

/** The channel on which processes announce that they listen. */
const PRESENCE = 'palabre.presence';
/** A process listens from now on. */
const HERE = 'here';
/** The sender knew of no listener so far, and sent no hints. */
const LOOK = 'look';

/**
 * PubSub over PostgreSQL's NOTIFY. Hints of this process are delivered directly. Those of others arrive on a separate
 * connection, in the order of their commits. Without other listeners nothing is sent: a new listener announces
 * itself, and is told to look at earlier changes.
 */
export class PostgresPubSub extends PubSub {
  private readonly replica = randomUUID();
  private readonly topics: Listeners;
  private readonly gaps: Listeners;
  private connection: ListenConnection | null = null;
  /** Whether other processes may listen. */
  private areOthers = true;

  private constructor(private readonly logger: Logger) {
    super();
    this.topics = new Listeners(logger);
    this.gaps = new Listeners(logger);
  }

  /** Listens from now on, and reconnects when the connection is lost. Rejects when the first connection fails. */
  static async open(
    url: string,
    logger: Logger,
    checks: ListenOptions['checks'] = CHECKS,
  ): Promise<PostgresPubSub> {
    const pubSub = new PostgresPubSub(logger);
    pubSub.connection = await ListenConnection.open({
      url,
      channel: CHANNEL,
      logger,
      onPayload: (payload) => pubSub.hear(payload),
      greeting: pubSub.hintOf(PRESENCE, HERE),
      onOthers: (areOthers) => pubSub.noteOthers(areOthers),
      onGap: () => pubSub.gaps.tell(GAP, ''),
      checks,
    });
    return pubSub;
  }

  override async publish(tx: Transaction, topic: string, payload: string): Promise<void> {
    tx.afterCommit(() => this.topics.tell(topic, payload));
    await this.publishToOthers(tx, topic, payload);
  }

  override async publishToOthers(tx: Transaction, topic: string, payload: string): Promise<void> {
    const hint = this.hintOf(topic, payload);
    if (this.areOthers) await tx.query('SELECT pg_notify($1, $2)', [CHANNEL, hint]);
    // Somebody may have begun to listen before the commit.
    else tx.afterCommit(() => this.areOthers && this.connection?.notify(hint));
  }

  override subscribe(topic: string, listener: (payload: string) => void): () => void {
    return this.topics.add(topic, listener);
  }

  override onGap(listener: () => void): () => void {
    return this.gaps.add(GAP, listener);
  }

  override get listening(): Listening {
    const forMs = this.connection?.lostForMs ?? null;
    return forMs === null ? { state: 'ok' } : { state: 'lost', forMs };
  }

  close(): void {
    this.connection?.close();
  }

  private hear(text: string): void {
    const hint = readHint(text);
    if (!hint)
      return this.logger.warn({ length: text.length }, 'something that is no hint came by the channel');
    // Our own hints were delivered after the commit.
    if (hint.from === this.replica) return;
    this.noteOthers(true);
    if (hint.topic !== PRESENCE) this.topics.tell(hint.topic, hint.payload);
    else if (hint.payload === LOOK) this.gaps.tell(GAP, '');
  }

  private noteOthers(areOthers: boolean): void {
    const areNews = areOthers && !this.areOthers;
    this.areOthers = areOthers;
    if (areNews) this.connection?.notify(this.hintOf(PRESENCE, LOOK));
  }

  private hintOf(topic: string, payload: string): string {
    return writeHint({ from: this.replica, topic, payload });
  }
}

const APPLICATION = 'palabre listen';

/** The name of another role's session may be hidden. */
const STANDING = `SELECT
  EXISTS (SELECT FROM pg_listening_channels() AS channel WHERE channel = $1) AS "isListening",
  EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND coalesce(application_name, $2) = $2) AS "areOthers"`;

const RECONNECT = { firstMs: 100, maxMs: 2_000 };
const KEEP_ALIVE_AFTER_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

interface ListenOptions {
  url: string;
  /** A plain lower-case word: it is put into a statement without quoting. */
  channel: string;
  logger: Logger;
  onPayload(payload: string): void;
  /** The message that is sent once the connection listens. */
  greeting: string;
  /** Called when it is known, or must be assumed, whether other such connections exist. */
  onOthers(areOthers: boolean): void;
  /** Called after reconnecting: payloads may have been lost. */
  onGap(): void;
  /** How often the connection is checked, and how long the answer may take. */
  checks: { everyMs: number; timeoutMs: number };
}

/** A dedicated connection that listens to one channel, and reconnects when it is lost. */
class ListenConnection {
  private client: pg.Client | null = null;
  private checking: NodeJS.Timeout | null = null;
  private lostAt: number | null = null;
  /** Settles when the statement before is answered: the connection takes one at a time. */
  private asked: Promise<unknown> = Promise.resolve();
  private readonly closing = new AbortController();

  private constructor(private readonly options: ListenOptions) {}

  /** Rejects when the first connection cannot be made. */
  static async open(options: ListenOptions): Promise<ListenConnection> {
    const connection = new ListenConnection(options);
    await connection.connect();
    return connection;
  }

  /** How long the connection has been lost; null: it is listening. */
  get lostForMs(): number | null {
    return this.lostAt === null ? null : performance.now() - this.lostAt;
  }

  /** Sends a payload by the channel. It gets lost with the connection. */
  notify(payload: string): void {
    const { client } = this;
    if (!client) return;
    this.ask(client, 'SELECT pg_notify($1, $2)', [this.options.channel, payload]).catch((error: unknown) =>
      this.lose(client, error),
    );
  }

  private ask<Row extends pg.QueryResultRow>(
    client: pg.Client,
    sql: string,
    values: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const answer = this.asked.then(() => client.query<Row>(sql, values));
    this.asked = answer.catch(() => undefined);
    return answer;
  }

  close(): void {
    this.closing.abort();
    this.dropClient();
  }

  private async connect(): Promise<void> {
    const { url, channel, checks, greeting } = this.options;
    const client = new pg.Client({
      connectionString: url,
      application_name: APPLICATION,
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
    // Not awaited: others' answers may come with its own, before anybody could subscribe to gaps.
    this.notify(greeting);
    this.checking = setInterval(() => void this.check(client), checks.everyMs);
    void this.check(client);
  }

  /** A dead connection is silent, and so is one that a pooler has switched to another session. So it must be asked. */
  private async check(client: pg.Client): Promise<void> {
    try {
      const { rows } = await this.ask<{ isListening: boolean; areOthers: boolean }>(client, STANDING, [
        this.options.channel,
        APPLICATION,
      ]);
      if (!rows[0]?.isListening)
        throw new Error('The connection does not listen any more. It needs a session of its own.');
      if (client === this.client) this.options.onOthers(rows[0].areOthers);
    } catch (error) {
      this.lose(client, error);
    }
  }

  private lose(client: pg.Client, error: unknown): void {
    if (client !== this.client) return;
    this.dropClient();
    this.lostAt = performance.now();
    this.options.onOthers(true);
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

/** Not `end`, which waits for an answer that never comes on a dead connection. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** A hint between replicas. */
interface Hint {
  /** The id of the sending replica. */
  from: string;
  topic: string;
  payload: string;
}

const TOPIC = /^[A-Za-z0-9.-]{1,100}$/;

const HINT = /^([\w-]{1,40}) ([A-Za-z0-9.-]{1,100}) (.*)$/s;

/** Encodes a hint. Throws for an invalid topic and for a payload that is too long. */
export function writeHint({ from, topic, payload }: Hint): string {
  if (!TOPIC.test(topic)) throw new Error('A topic has 1 to 100 letters, digits, dots and hyphens.');
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_PAYLOAD_BYTES)
    throw new Error(`A hint on ${topic} has ${bytes} bytes; ${MAX_PAYLOAD_BYTES} are the most.`);
  return `${from} ${topic} ${payload}`;
}

/** Null: not a hint. Anyone with access to the database can send anything to the channel. */
export function readHint(text: string): Hint | null {
  const [, from, topic, payload] = HINT.exec(text) ?? [];
  return from === undefined || topic === undefined || payload === undefined ? null : { from, topic, payload };
}
