import { setTimeout as pause } from 'node:timers/promises';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The time, as far as anything is decided by it. The class is both the type and the injection token. */
export abstract class Clock {
  abstract now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason once that is aborted. */
  abstract pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back after `ms`, unless what it gives is called first. */
  abstract after(ms: number, callback: () => void): () => void;
}

/** The machine's. */
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
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
