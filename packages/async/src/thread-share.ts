import { RecentUse } from './recent-use.js';
import { TimeDebts } from './time-debts.js';

/** How long a key counts as served. */
const SERVED_FOR_MS = 10_000;

/** A key must not go on waiting long after its load has ended, such as when it was alone for an hour. */
const MAX_WAIT_MS = 2_000;

/**
 * Divides the one thread among keys, such as companies. A key that is served alone may use all of it, and one that uses
 * much less than another does not wait: what is charged to it may have been caused by others, as not all work can be
 * measured by key.
 */
export class ThreadShare {
  private readonly debts: TimeDebts;
  private readonly use = new RecentUse();
  /** The key that was served last, and when another key was served before it. */
  private lastServed: string | null = null;
  private lastServedAt = 0;
  private otherServedAt = -SERVED_FOR_MS;

  /** `share`: of the thread, above 0, while others are served. `burstMs`: what a key may use without waiting. */
  constructor(
    private readonly share: number,
    private readonly burstMs: number,
  ) {
    this.debts = new TimeDebts(share);
  }

  /** Records that the key is served, without a cost. */
  serve(key: string, now = performance.now()): void {
    if (this.lastServed !== key) {
      if (this.lastServed !== null) this.otherServedAt = this.lastServedAt;
      this.lastServed = key;
    }
    this.lastServedAt = now;
  }

  /** Records that the key used the thread for `ms` milliseconds. */
  spend(key: string, ms: number, now = performance.now()): void {
    this.serve(key, now);
    this.charge(key, ms, now);
  }

  /** As `spend`, for work that nobody waits for: the key does not count as served. */
  charge(key: string, ms: number, now = performance.now()): void {
    this.use.add(key, ms, now);
    // A light user owes nothing later, when the others are gone.
    if (this.use.isLight(key, now)) return;
    const most = this.burstMs + this.share * MAX_WAIT_MS;
    this.debts.add(key, Math.min(ms, Math.max(0, most - this.debts.of(key, now))), now);
  }

  /** How long the key waits for the thread, in milliseconds, up to MAX_WAIT_MS; 0: not at all. */
  waitOf(key: string, now = performance.now()): number {
    const isAlone = now - this.otherServedAt >= SERVED_FOR_MS;
    return isAlone || this.use.isLight(key, now) ? 0 : this.debts.waitUntil(key, this.burstMs, now);
  }
}
