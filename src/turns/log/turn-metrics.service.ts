import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { timeOf } from '../../common/ids.js';
import { Metrics } from '../../metrics/metrics.js';
import type { TurnEvent } from '../turn-event.js';
import { TurnFeed } from './turn-feed.js';

/** More than run at a time: who is forgotten here is counted twice at most. */
const MOST_ANSWERING = 20_000;

/** Counts what the turns of this process come to, as their log tells it. */
@Injectable()
export class TurnMetrics {
  /** Turns of which text has been shown. */
  private readonly answering = new LRUCache<string, true>({ max: MOST_ANSWERING });

  constructor(
    feed: TurnFeed,
    private readonly metrics: Metrics,
  ) {
    feed.watch((events) => this.count(events));
  }

  private count(events: readonly TurnEvent[]): void {
    const [first] = events;
    if (!first) return;
    this.metrics.eventsStored(events.length, secondsSince(first.at.getTime()));
    for (const event of events) this.countOne(event);
  }

  private countOne(event: TurnEvent): void {
    const { turnId } = event;
    if (event.type === 'text-delta') {
      if (this.answering.has(turnId)) return;
      this.answering.set(turnId, true);
      this.metrics.firstTextShown(secondsSince(timeOf(turnId)));
    } else if (event.type === 'skill-finished') {
      this.metrics.skillCallEnded(event.callStatus, event.durationMs / 1000);
    } else if (event.type === 'turn-done') {
      this.answering.delete(turnId);
      const { status, finishReason, error } = event;
      const how = { status, finish_reason: finishReason, code: error?.code ?? '' };
      this.metrics.turnEnded(how, secondsSince(timeOf(turnId)));
    }
  }
}

/** The id's clock may be another machine's, which is a little ahead. */
const secondsSince = (time: number): number => Math.max(0, Date.now() - time) / 1000;
