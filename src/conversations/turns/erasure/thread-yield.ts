import { setImmediate } from 'node:timers/promises';

/** How long the work runs without a pause. */
const SLICE_MS = 8;

/**
 * Pauses long work so that others are served, but rarely: in a transaction PostgreSQL ends idle sessions after some
 * seconds, and a busy thread is slow to come back.
 */
export class ThreadYield {
  private since = performance.now();

  async whenDue(): Promise<void> {
    if (performance.now() - this.since <= SLICE_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}
