import { setTimeout as sleep } from 'node:timers/promises';

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** Exponential back-off, of which up to half is random: simultaneous failures must not retry simultaneously. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (1 - Math.random() / 2);
}

/** Resolves after `ms`, or rejects as soon as `signal` is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

interface RetryOptions {
  signal?: AbortSignal;
  /** Replaced by tests. */
  pause?: Pause;
}

/** Repeats `work` after the milliseconds that `pauseAfter` gives. Null: no further try. `signal` ends it. */
export async function retry<T>(
  work: () => Promise<T>,
  pauseAfter: (error: unknown, failures: number) => number | null,
  {
    signal = new AbortController().signal,
    pause = (ms, signal) => sleep(ms, undefined, { signal }),
  }: RetryOptions = {},
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauseAfter(error, failures);
      if (pauseMs === null) throw error;
      // An abort ends the pause; throwIfAborted above throws the reason.
      if (pauseMs > 0) await pause(pauseMs, signal).catch(() => undefined);
    }
  }
}
