import { Clock } from './clock.js';

interface Timer {
  atMs: number;
  callback: () => void;
}

/** A clock for tests, which stands still until `advance` is called. */
export class ManualClock extends Clock {
  private nowMs: number;
  private readonly timers = new Set<Timer>();
  private onTimer: (() => void)[] = [];

  constructor(start = new Date('2026-01-15T09:00:00Z')) {
    super();
    this.nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.nowMs);
  }

  elapsedMs(): number {
    return this.nowMs;
  }

  /** The number of pending callbacks. */
  get waiting(): number {
    return this.timers.size;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { atMs: this.nowMs + ms, callback };
    this.timers.add(timer);
    for (const resolve of this.onTimer.splice(0)) resolve();
    return () => this.timers.delete(timer);
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = this.after(ms, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Advances by `ms`, and runs the callbacks that are due, in order. */
  advance(ms: number): void {
    const until = this.nowMs + ms;
    for (;;) {
      const due = [...this.timers].filter(({ atMs }) => atMs <= until).toSorted((a, b) => a.atMs - b.atMs);
      const [next] = due;
      if (!next) break;
      this.timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.callback();
    }
    this.nowMs = until;
  }

  /** Resolves when the next callback is scheduled. */
  nextTimer(): Promise<void> {
    return new Promise((resolve) => this.onTimer.push(resolve));
  }
}
