import { backoffMs, type Pause, retry } from '@palabre/async';

import { DomainError } from '../../common/errors/domain-error.js';

const PAUSES = { firstMs: 50, maxMs: 1_000 };

/**
 * Repeats `work` while it rejects with UNAVAILABLE, as it does while the database cannot be reached. Rejects with any
 * other error, and with the signal's reason once `signal` is aborted.
 */
export function retryUntilConnected<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  pause?: Pause,
): Promise<T> {
  const isAway = (error: unknown): boolean => error instanceof DomainError && error.code === 'UNAVAILABLE';
  return retry(work, (error, failures) => (isAway(error) ? backoffMs(PAUSES, failures) : null), {
    signal,
    ...(pause && { pause }),
  });
}
