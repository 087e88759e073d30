import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { Database } from '../../../platform/database/database.js';
import { retryUntilConnected } from '../../../platform/database/retry-until-connected.js';
import { PubSub } from '../../../platform/pubsub/pub-sub.js';
import type { FinishReason } from '../turn-event.js';
import { TurnClaimRepository } from './turn-claim.repository.js';
import type { Claim } from './turn-claim.js';

/** Far shorter than a lease, so that one failed renewal is harmless. */
const RENEWAL_MS = 5_000;

/** The owner of a turn, from the lease service's point of view. */
export interface LeaseHolder {
  claim: Claim;
  /** The turn is to end early. */
  onStop(reason: FinishReason): void;
  /** The turn has ended, is gone, or is another attempt's by now. */
  onLost(): void;
}

/** Renews the leases of all turns that this process runs, on a timer independent of their output. */
@Injectable()
export class TurnLeases implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly holders = new Map<string, LeaseHolder>();
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | null = null;
  private renewing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly claims: TurnClaimRepository,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.renew(), RENEWAL_MS);
    // A stop missed during the gap is in the turn's row.
    this.unsubscribe = this.pubSub.onGap(() => void this.renewAnew());
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.unsubscribe?.();
    this.stopping.abort(new Error('The process is stopping.'));
  }

  /** Renews the turn's lease until the returned function is called. */
  hold(holder: LeaseHolder): () => void {
    // This process has claimed its own turn again, after stalling for longer than a lease.
    this.holders.get(holder.claim.turnId)?.onLost();
    this.holders.set(holder.claim.turnId, holder);
    return () => {
      if (this.holders.get(holder.claim.turnId) === holder) this.holders.delete(holder.claim.turnId);
    };
  }

  /** Renews all leases now, or as soon as the database is reachable; never rejects. */
  renew(): Promise<void> {
    this.renewing ??= this.renewAll().finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** Turns without a lease: those that this process runs are renewed once more, and given up when that fails. */
  async keepOrLose(turnIds: readonly string[]): Promise<void> {
    const holders = turnIds.flatMap((id) => this.holders.get(id) ?? []);
    if (holders.length === 0) return;
    try {
      await this.renewOnce(holders);
    } catch (error) {
      this.logger.warn(
        { err: error, turns: holders.length },
        'turns were given up: their leases have expired',
      );
      for (const holder of holders) holder.onLost();
    }
  }

  /** A renewal under way may have read the rows too early; so another one follows. */
  private async renewAnew(): Promise<void> {
    await this.renewing;
    await this.renew();
  }

  private async renewAll(): Promise<void> {
    try {
      await retryUntilConnected(() => this.renewOnce([...this.holders.values()]), this.stopping.signal);
    } catch (error) {
      // The lease outlasts several renewals: the next one may succeed.
      if (!this.stopping.signal.aborted)
        this.logger.warn({ err: error }, 'the leases of turns could not be renewed');
    }
  }

  private async renewOnce(asked: readonly LeaseHolder[]): Promise<void> {
    if (asked.length === 0) return;
    const claims = asked.map(({ claim }) => claim);
    const renewed = await this.database.systemTransaction((tx) => this.claims.renew(tx, claims), {
      ahead: true,
    });
    for (const holder of asked) {
      // The turn was released meanwhile.
      if (this.holders.get(holder.claim.turnId) !== holder) continue;
      const kept = renewed.get(holder.claim.turnId);
      if (!kept) holder.onLost();
      else if (kept.stopReason) holder.onStop(kept.stopReason);
    }
  }
}
