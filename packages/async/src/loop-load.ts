import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** Long enough to tell a busy thread from a busy moment. */
const WINDOW_MS = 100;
/** The part of the time that the thread works from which others have to wait for it. */
const BUSY = 0.7;
/** If less is measured than one part of so many, it says nothing about who caused the rest. */
const MAX_FACTOR = 10;

type ReadLoop = (since?: EventLoopUtilization) => EventLoopUtilization;

/**
 * Tells how busy the thread is, and what a measured millisecond stands for. Only some work can be measured by company,
 * and not the connections, statements and promises around it. Whoever caused the measured work is taken to have caused
 * the rest in proportion.
 */
export class LoopLoad {
  /** Thread time per measured time in the last window. */
  private factor = 1;
  /** From 0, the thread is not busy, to 1, it does not rest, in the last window. */
  private pressure = 0;
  private measuredMs = 0;
  private begun: EventLoopUtilization;
  private endsAt: number;

  constructor(
    now = performance.now(),
    private readonly readLoop: ReadLoop = performance.eventLoopUtilization,
  ) {
    this.begun = readLoop();
    this.endsAt = now + WINDOW_MS;
  }

  isBusy(now: number): boolean {
    if (now >= this.endsAt) this.closeWindow(now);
    return this.pressure > 0;
  }

  /**
   * Takes `ms` of measured work. Returns the thread time to charge for it: nothing if the thread is not busy, and all
   * of it if it does not rest, so that as much is left over as others need.
   */
  charge(ms: number, now: number): number {
    if (now >= this.endsAt) this.closeWindow(now);
    this.measuredMs += ms;
    return ms * this.factor * this.pressure;
  }

  private closeWindow(now: number): void {
    const { active, utilization } = this.readLoop(this.begun);
    const isMostUnknown = this.measuredMs * MAX_FACTOR <= active;
    this.factor = isMostUnknown ? MAX_FACTOR : Math.max(1, active / this.measuredMs);
    this.pressure = Math.max(0, (utilization - BUSY) / (1 - BUSY));
    this.measuredMs = 0;
    this.begun = this.readLoop();
    this.endsAt = now + WINDOW_MS;
  }
}
