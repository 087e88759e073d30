import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../database/transaction.js';
import type { PubSub } from './pub-sub.js';

const REMEMBERED = 10_000;

/**
 * Tells every replica that something of a company has changed. Whoever has kept it looks again before it relies on it;
 * what nothing was heard of for long, or might have been missed, counts as changed.
 */
export abstract class CompanyChanges implements OnApplicationShutdown {
  private readonly heard = new LRUCache<string, number>({ max: REMEMBERED });
  private readonly stops: (() => void)[];
  private count = 0;
  /** For a company without a change since the start. */
  private floor = 0;

  protected constructor(
    private readonly pubSub: PubSub,
    private readonly topic: string,
  ) {
    this.stops = [
      pubSub.subscribe(topic, (companyId) => this.note(companyId)),
      pubSub.onGap(() => this.noteAll()),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /** To be called in the transaction of the change. */
  announce(tx: Transaction): Promise<void> {
    return this.pubSub.publish(tx, this.topic, tx.companyId);
  }

  /** Another number as soon as it may have changed; each time while nothing can be heard. */
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
