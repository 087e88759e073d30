import { LRUCache } from 'lru-cache';

/** The part of the thread that one company's events take while others are served as well. */
const SHARE = 0.25;
/** Writing in a row: there may be thousands of events at once, of as many subscriptions. */
const BURST_MS = 20;

/** A company counts as one that is served for so long after it was. */
const SERVED_FOR_MS = 10_000;

const MAX_REMEMBERED = 10_000;

interface Sent {
  /** Time of writing that was not waited off yet, as of `at`. */
  debtMs: number;
  at: number;
}

/** Divides the thread among the companies that are sent events. Whoever is served alone may use all of it. */
export class EventShare {
  private readonly sent = new LRUCache<string, Sent>({ max: MAX_REMEMBERED });
  /** The company that was served last, and when another one was before it. */
  private lastServed: string | null = null;
  private lastServedAt = 0;
  private otherServedAt = -SERVED_FOR_MS;

  /** The company was served, by whatever operation. */
  serve(company: string, now = performance.now()): void {
    if (this.lastServed !== company) {
      if (this.lastServed !== null) this.otherServedAt = this.lastServedAt;
      this.lastServed = company;
    }
    this.lastServedAt = now;
  }

  /** Adds the time of writing an event to it, in milliseconds. */
  spend(company: string, ms: number, now = performance.now()): void {
    this.serve(company, now);
    this.sentTo(company, now).debtMs += ms;
  }

  /** How long the company's next event waits, in milliseconds; 0: not at all. */
  waitOf(company: string, now = performance.now()): number {
    const { debtMs } = this.sentTo(company, now);
    if (debtMs <= BURST_MS || now - this.otherServedAt >= SERVED_FOR_MS) return 0;
    return Math.ceil((debtMs - BURST_MS) / SHARE);
  }

  private sentTo(company: string, now: number): Sent {
    const sent = this.sent.get(company) ?? { debtMs: 0, at: now };
    sent.debtMs = Math.max(0, sent.debtMs - (now - sent.at) * SHARE);
    sent.at = now;
    this.sent.set(company, sent);
    return sent;
  }
}
