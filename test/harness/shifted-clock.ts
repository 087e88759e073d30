import { SystemClock } from '../../src/common/clock.js';

/** The machine's clock, put forward: for what is looked up again once it is old. Pauses take as long as ever. */
export class ShiftedClock extends SystemClock {
  private aheadMs = 0;

  override now(): Date {
    return new Date(super.now().getTime() + this.aheadMs);
  }

  advance(ms: number): void {
    this.aheadMs += ms;
  }
}
