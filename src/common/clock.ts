import { setTimeout as pause } from 'node:timers/promises';

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The time that decisions depend on. The class is both the type and the injection token. */
export abstract class Clock {
  abstract now(): Date;
  /** A monotonic time in milliseconds, which changes of the system date do not affect. */
  abstract elapsedMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason once that is aborted. */
  abstract pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `callback` after `ms`, unless the returned function is called before. */
  abstract after(ms: number, callback: () => void): () => void;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }

  elapsedMs(): number {
    return performance.now();
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await pause(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}
