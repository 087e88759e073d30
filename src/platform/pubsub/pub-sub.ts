import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../database/transaction.js';

/** Whether hints of other replicas arrive. `not needed`: there are no other replicas. */
export type Listening = { state: 'ok' | 'not needed' } | { state: 'lost'; forMs: number };

/** The largest payload in bytes. PostgreSQL's NOTIFY takes less than 8,000, including our header. */
export const MAX_PAYLOAD_BYTES = 7_000;

/**
 * Hints to listeners on all replicas that something was stored. Hints may be lost or doubled, so listeners read the
 * database. The class is both the type and the injection token.
 */
export abstract class PubSub {
  /**
   * Sends `payload` to the listeners of `topic` on every replica after `tx` commits, and never without a commit. Hints to
   * other replicas may be lost while their connection is: see `onGap`. `topic` is at most 100 letters, digits, dots and
   * hyphens, `payload` at most 7,000 bytes.
   */
  abstract publish(tx: Transaction, topic: string, payload: string): Promise<void>;

  /** As `publish`, to all replicas but this one. */
  abstract publishToOthers(tx: Transaction, topic: string, payload: string): Promise<void>;

  /** Calls `listener` for every hint on `topic` until the returned function is called. Its errors are logged. */
  abstract subscribe(topic: string, listener: (payload: string) => void): () => void;

  /** Calls `listener` after a time in which hints of other replicas may have been lost. */
  abstract onGap(listener: () => void): () => void;

  /** Both, until the returned function is called. */
  follow(topic: string, onHint: (payload: string) => void, onGap: () => void): () => void {
    const stops = [this.subscribe(topic, onHint), this.onGap(onGap)];
    return () => stops.forEach((stop) => stop());
  }

  abstract get listening(): Listening;
}

const MAX_CACHED = 10_000;

/**
 * Announces changes of a company to every replica. Caches compare `stateOf` before use. When messages may have been
 * missed, everything counts as changed.
 */
export abstract class CompanyChanges implements OnApplicationShutdown {
  private readonly heard = new LRUCache<string, number>({ max: MAX_CACHED });
  private readonly stop: () => void;
  private count = 0;
  /** The state of companies without a change since the start, or since the last gap. */
  private floor = 0;

  protected constructor(
    private readonly pubSub: PubSub,
    private readonly topic: string,
  ) {
    this.stop = pubSub.follow(
      topic,
      (companyId) => this.note(companyId),
      () => this.noteAll(),
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /** Call it in the transaction of the change. */
  announce(tx: Transaction): Promise<void> {
    return this.pubSub.publish(tx, this.topic, tx.companyId);
  }

  /** A new number whenever something may have changed. While messages cannot arrive, each call gives a new one. */
  stateOf(companyId: string): number {
    if (this.pubSub.listening.state === 'lost') return (this.count += 1);
    return this.heard.get(companyId) ?? this.floor;
  }

  private note(companyId: string): void {
    this.count += 1;
    this.heard.set(companyId, this.count);
  }

  private noteAll(): void {
    this.count += 1;
    this.floor = this.count;
    this.heard.clear();
  }
}
