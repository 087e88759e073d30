import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { timeOf } from '../../../common/ids.js';
import { Database } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { TurnClaimRepository } from '../claims/turn-claim.repository.js';
import type { TurnEvent } from '../turn-event.js';
import { TurnFeed } from './turn-feed.js';

/** More turns than run at a time. A turn that is evicted would be counted twice. */
const MAX_ANSWERING = 20_000;

@Injectable()
export class TurnMetrics {
  /** Turns that have shown text. */
  private readonly answering = new LRUCache<string, true>({ max: MAX_ANSWERING });

  constructor(
    feed: TurnFeed,
    database: Database,
    claims: TurnClaimRepository,
    private readonly metrics: Metrics,
  ) {
    feed.watch((events) => this.count(events));
    // Watched in every process, because operators need the backlog even where no process runs turns.
    metrics.watch(
      'palabre_turns_waiting',
      'Turns that could be run and that no process runs, on the whole database.',
      [],
      () => database.systemTransaction((tx) => claims.countUnattended(tx), { atOnce: true }),
    );
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
      this.metrics.skillCallEnded(event.skill, event.callStatus, event.durationMs / 1000);
    } else if (event.type === 'turn-done') {
      this.answering.delete(turnId);
      const { status, finishReason, error } = event;
      const how = { status, finish_reason: finishReason, code: error?.code ?? '' };
      this.metrics.turnEnded(how, secondsSince(timeOf(turnId)));
    }
  }
}

/** Not negative: the id may come from another machine, whose clock may be ahead. */
function secondsSince(time: number): number {
  return Math.max(0, Date.now() - time) / 1000;
}
