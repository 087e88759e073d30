import { PalabreError } from './palabre-error.js';

// @palabre/async is not used here: it is private and needs Node, and this package is published and runs in browsers.
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A connection that held for so long was a good one. */
const GOOD_AFTER_MS = 30_000;

/**
 * The values of `open`, which is called again, after a growing pause, whenever it fails and `mayRetry`, which is told how
 * often it has failed in a row before. Who calls it again asks for what is missing.
 */
export async function* retrying<Value>(
  open: () => AsyncIterable<Value>,
  mayRetry: (error: PalabreError, failures: number) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  for (let failures = 0; ;) {
    const began = Date.now();
    try {
      for await (const value of open()) {
        failures = 0;
        yield value;
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (Date.now() - began > GOOD_AFTER_MS) failures = 0;
      if (!(error instanceof PalabreError) || !error.mayPass || !mayRetry(error, failures)) throw error;
      await pause(Math.max(error.retryAfterMs, backoffMs(failures)), signal);
      failures += 1;
    }
  }
}

/** Random, so that the clients of a server that restarts do not all come back at the same moment. */
function backoffMs(failures: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}

/** Waits, but no longer than until the browser says that it is online again. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const page = globalThis as Partial<EventTarget>;
    const over = (): void => {
      clearTimeout(timer);
      page.removeEventListener?.('online', over);
      signal?.removeEventListener('abort', over);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(over, ms);
    page.addEventListener?.('online', over);
    signal?.addEventListener('abort', over);
  });
}
