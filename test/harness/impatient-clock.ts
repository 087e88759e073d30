import { SystemClock } from '../../src/common/clock.js';

/** The machine's clock for tests of what waits before it tries again: no pause takes any time. */
export class ImpatientClock extends SystemClock {
  /** In milliseconds, as they were asked for. */
  readonly pauses: number[] = [];

  override async pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.pauses.push(ms);
  }
}
