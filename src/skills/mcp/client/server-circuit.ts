import { backoffMs } from '@palabre/async';

import type { Clock } from '../../../common/clock.js';

const AFTER_FAILURE = { firstMs: 1_000, maxMs: 300_000 };
/** A connection that held this long resets the count of failures. */
const STEADY_MS = 60_000;
/** After this many requests in a row without an answer, the server counts as away. */
const UNANSWERED_REQUESTS = 3;

/** Pauses calls to a server that has failed: for a second at first, for minutes in the end. */
export class ServerCircuit {
  /** In a row. */
  failures = 0;
  /** The last failure, until the server is there again. */
  lastFailure: string | null = null;
  private unansweredRequests = 0;
  private openedAtMs = 0;
  private retryAtMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Why calls are paused; null: they are not. */
  get failure(): string | null {
    return this.nowMs >= this.retryAtMs ? null : this.lastFailure;
  }

  opened(): void {
    this.openedAtMs = this.nowMs;
    this.lastFailure = null;
  }

  /** A connection that was open is not any more. */
  dropped(): void {
    if (this.nowMs - this.openedAtMs >= STEADY_MS) this.failures = 0;
  }

  /** A request succeeded. */
  worked(): void {
    this.failures = 0;
    this.unansweredRequests = 0;
  }

  /** Notes a request without an answer. True: there were too many. */
  wasSilent(): boolean {
    this.unansweredRequests += 1;
    return this.unansweredRequests >= UNANSWERED_REQUESTS;
  }

  /** The server has answered, even if it refused. */
  answered(): void {
    this.unansweredRequests = 0;
  }

  /** Gives how long calls are paused, in milliseconds. */
  failed(message: string): number {
    this.failures += 1;
    this.unansweredRequests = 0;
    this.lastFailure = message;
    const pauseMs = Math.ceil(backoffMs(AFTER_FAILURE, this.failures));
    this.retryAtMs = this.nowMs + pauseMs;
    return pauseMs;
  }

  /** Ends the pause. */
  release(): void {
    this.retryAtMs = 0;
  }

  private get nowMs(): number {
    return this.clock.now().getTime();
  }
}
