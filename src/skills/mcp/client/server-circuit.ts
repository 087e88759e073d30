import { backoffMs } from '@palabre/async';

import type { Clock } from '../../../common/clock.js';

const AFTER_FAILURE = { firstMs: 1_000, maxMs: 300_000 };
/** A connection that held this long resets the count of failures. */
const STEADY_MS = 60_000;
/** After this many consecutive requests without an answer, the server counts as away. */
const UNANSWERED_REQUESTS = 3;

/** Pauses calls to a failing server, for a second at first and up to minutes. */
export class ServerCircuit {
  /** Consecutive failures. */
  failures = 0;
  /** The last failure, until the server is back. */
  lastFailure: string | null = null;
  private unansweredRequests = 0;
  private openedAtMs = 0;
  private retryAtMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Why calls are paused. Null: they are not. */
  get failure(): string | null {
    return this.nowMs >= this.retryAtMs ? null : this.lastFailure;
  }

  opened(): void {
    this.openedAtMs = this.nowMs;
    this.lastFailure = null;
  }

  /** An open connection was lost. */
  dropped(): void {
    if (this.nowMs - this.openedAtMs >= STEADY_MS) this.failures = 0;
  }

  /** A request succeeded. */
  worked(): void {
    this.failures = 0;
    this.unansweredRequests = 0;
  }

  /** Records a request without an answer. True: there were too many. */
  wasSilent(): boolean {
    this.unansweredRequests += 1;
    return this.unansweredRequests >= UNANSWERED_REQUESTS;
  }

  /** The server answered, even if it refused. */
  answered(): void {
    this.unansweredRequests = 0;
  }

  /** Returns how long calls are paused, in milliseconds. */
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
