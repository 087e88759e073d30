import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { TurnLog } from '../log/turn-log.service.js';
import type { FinishReason } from '../turn-event.js';
import { type Claim, TurnRepository } from '../turn.repository.js';

/** Well within a lease, so that one lost renewal does no harm. */
const RENEWAL_MS = 5_000;

/** What the owner of a turn has to know of it. */
export interface LeaseHolder {
  claim: Claim;
  /** Somebody wants the turn to end early. */
  onStop(reason: FinishReason): void;
  /** The turn has ended, is gone, or is another attempt's by now. */
  onLost(): void;
}

/** Keeps the turns that this process runs, by a sign of life for all of them on a timer of its own. */
@Injectable()
export class TurnLeases implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly holders = new Map<string, LeaseHolder>();
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | null = null;
  private renewing: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly log: TurnLog,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.renew(), RENEWAL_MS);
    // A stop that was not heard is written in the turn's row.
    this.unsubscribe = this.pubSub.onGap(() => void this.renewAnew());
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.unsubscribe?.();
  }

  /** Renews the turn's lease until the returned function is called. */
  hold(holder: LeaseHolder): () => void {
    // This process has claimed its own turn again, having been away for the length of a lease.
    this.holders.get(holder.claim.turnId)?.onLost();
    this.holders.set(holder.claim.turnId, holder);
    return () => {
      if (this.holders.get(holder.claim.turnId) === holder) this.holders.delete(holder.claim.turnId);
    };
  }

  /** Renews all leases now; never rejects. */
  renew(): Promise<void> {
    this.renewing ??= this.renewAll().finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** What is under way may have looked too early. */
  private async renewAnew(): Promise<void> {
    await this.renewing;
    await this.renew();
  }

  private async renewAll(): Promise<void> {
    const asked = [...this.holders.values()];
    if (asked.length === 0) return;
    try {
      const claims = asked.map(({ claim }) => claim);
      const renewed = await this.log.betweenCommits(() =>
        this.database.systemTransaction((tx) => this.turns.renew(tx, claims), { ahead: true }),
      );
      for (const holder of asked) {
        // Who has let go of the turn meanwhile may have ended it.
        if (this.holders.get(holder.claim.turnId) !== holder) continue;
        const kept = renewed.get(holder.claim.turnId);
        if (!kept) holder.onLost();
        else if (kept.stopReason) holder.onStop(kept.stopReason);
      }
    } catch (error) {
      // The lease outlasts several renewals: the next one may succeed.
      this.logger.warn({ err: error }, 'the leases of turns could not be renewed');
    }
  }
}
