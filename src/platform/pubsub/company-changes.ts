import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../database/transaction.js';
import type { PubSub } from './pub-sub.js';

const MAX_CACHED = 10_000;

/**
 * Tells every replica that something of a company has changed. Whoever cached it compares `stateOf` before using it. When
 * messages may have been missed, everything counts as changed.
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

  /** To be called in the transaction of the change. */
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
