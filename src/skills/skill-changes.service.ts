import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../platform/database/transaction.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';

const TOPIC = 'skills';
const MAX_CACHED = 10_000;

/**
 * Tells every replica that a company's skills have changed. Whoever cached them compares `stateOf` before using them.
 * When messages may have been missed, all skills count as changed.
 */
@Injectable()
export class SkillChanges implements OnApplicationShutdown {
  private readonly heard = new LRUCache<string, number>({ max: MAX_CACHED });
  private readonly stops: (() => void)[];
  private count = 0;
  /** The state of companies without a change since the start, or since the last gap. */
  private floor = 0;

  constructor(private readonly pubSub: PubSub) {
    this.stops = [
      pubSub.subscribe(TOPIC, (companyId) => this.note(companyId)),
      pubSub.onGap(() => this.noteAll()),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /** To be called in the transaction of the change. */
  announce(tx: Transaction): Promise<void> {
    return this.pubSub.publish(tx, TOPIC, tx.companyId);
  }

  /** A new number whenever the company's skills may have changed. While messages cannot arrive, each call gives a new one. */
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
