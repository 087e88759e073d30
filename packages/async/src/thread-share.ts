import { TimeDebts } from './time-debts.js';

/** A key counts as one that is served for so long after it was. */
const SERVED_FOR_MS = 10_000;

/** Divides the one thread among keys, such as companies. Whoever is served alone may use all of it. */
export class ThreadShare {
  private readonly debts: TimeDebts;
  /** The key that was served last, and when another one was before it. */
  private lastServed: string | null = null;
  private lastServedAt = 0;
  private otherServedAt = -SERVED_FOR_MS;

  /** `share`: of the thread, above 0, while others are served. `burstMs`: what is used in a row without waiting. */
  constructor(
    share: number,
    private readonly burstMs: number,
  ) {
    this.debts = new TimeDebts(share);
  }

  /** The key is served, whatever that costs. */
  serve(key: string, now = performance.now()): void {
    if (this.lastServed !== key) {
      if (this.lastServed !== null) this.otherServedAt = this.lastServedAt;
      this.lastServed = key;
    }
    this.lastServedAt = now;
  }

  /** The key is served, and used the thread for `ms` milliseconds. */
  spend(key: string, ms: number, now = performance.now()): void {
    this.serve(key, now);
    this.debts.add(key, ms, now);
  }

  /** How long the key waits for the thread, in milliseconds; 0: not at all. */
  waitOf(key: string, now = performance.now()): number {
    return now - this.otherServedAt >= SERVED_FOR_MS ? 0 : this.debts.waitUntil(key, this.burstMs, now);
  }
}
