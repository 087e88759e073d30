import { setTimeout as sleep } from 'node:timers/promises';

import { backoffMs } from '../../common/backoff.js';
import { DomainError } from '../../common/errors/domain-error.js';

const PAUSES = { firstMs: 50, mostMs: 1_000 };

/** Resolves after `ms`, or rejects as soon as `signal` is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Repeats `work` while it rejects with UNAVAILABLE, as it does while the database cannot be reached. Rejects with any
 * other error, and with the signal's reason once `signal` is aborted.
 */
export async function retryUntilConnected<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  pause: Pause = (ms, signal) => sleep(ms, undefined, { signal }),
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'UNAVAILABLE')) throw error;
    }
    // An abort ends the pause; throwIfAborted above throws the reason.
    await pause(backoffMs(PAUSES, failures), signal).catch(() => undefined);
  }
}
