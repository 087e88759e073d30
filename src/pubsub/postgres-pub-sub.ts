import { randomUUID } from 'node:crypto';

import type { Logger } from '../common/process/logger.js';
import type { Transaction } from '../database/transaction.js';
import { readHint, writeHint } from './hint.js';
import { ListenConnection, type ListenOptions } from './listen-connection.js';
import { Listeners } from './listeners.js';
import { type Listening, PubSub } from './pub-sub.js';

const CHANNEL = 'palabre';

/** A connection that says nothing is found out within 10 seconds. */
const CHECKS = { everyMs: 5_000, timeoutMs: 4_000 };

const GAP = 'gap';

/**
 * PubSub over PostgreSQL's NOTIFY. This process hears its own hints at once, those of others by a connection of its
 * own, in the order of their commits.
 */
export class PostgresPubSub extends PubSub {
  private readonly replica = randomUUID();
  private readonly topics: Listeners;
  private readonly gaps: Listeners;
  private connection: ListenConnection | null = null;

  private constructor(private readonly logger: Logger) {
    super();
    this.topics = new Listeners(logger);
    this.gaps = new Listeners(logger);
  }

  /** Listens from now on, whatever becomes of the connection. Rejects when there is none to begin with. */
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
    const hint = writeHint({ from: this.replica, topic, payload });
    await tx.query('SELECT pg_notify($1, $2)', [CHANNEL, hint]);
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
    // Our own were told as soon as they were committed.
    if (hint.from !== this.replica) this.topics.tell(hint.topic, hint.payload);
  }
}
