import { setTimeout as sleep } from 'node:timers/promises';

import { backoffMs } from '../common/backoff.js';
import { DomainError } from '../common/errors/domain-error.js';

const PAUSES = { firstMs: 50, mostMs: 1_000 };

/** Resolves after `ms`, or rejects as soon as `signal` is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Repeats `work` for as long as it rejects with UNAVAILABLE, which is what a database that is away makes of it. Any
 * other failure is passed on. Once `signal` is aborted, nothing is begun any more: rejects with the signal's reason.
 */
export const patiently = async <T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  pause: Pause = (ms, signal) => sleep(ms, undefined, { signal }),
): Promise<T> => {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'UNAVAILABLE')) throw error;
    }
    // An abort ends the pause; the reason is told at the top.
    await pause(backoffMs(PAUSES, failures), signal).catch(() => undefined);
  }
};
