import { backoffMs } from '../../../common/retry.js';
import type { Clock } from '../../../common/clock.js';

const AFTER_FAILURE = { firstMs: 1_000, maxMs: 300_000 };
/** A connection that held for so long was a good one, whatever became of those before it. */
const STEADY_MS = 60_000;
/** So many requests in a row without an answer, and the server counts as away. */
const UNANSWERED_REQUESTS = 3;

/** Keeps everybody from a server that has failed: for a moment at first, for minutes in the end. */
export class ServerCircuit {
  /** In a row. */
  failures = 0;
  /** The last failure, until the server is there again. */
  lastFailure: string | null = null;
  private unansweredRequests = 0;
  private openedAtMs = 0;
  private retryAtMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Why nobody should ask it now; null: let them try. */
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

  /** It has done what it was asked for. */
  worked(): void {
    this.failures = 0;
    this.unansweredRequests = 0;
  }

  /** Whether that was one too many. */
  wasSilent(): boolean {
    this.unansweredRequests += 1;
    return this.unansweredRequests >= UNANSWERED_REQUESTS;
  }

  /** It has answered, be it with a refusal. */
  answered(): void {
    this.unansweredRequests = 0;
  }

  /** Gives how long it is left alone, in milliseconds. */
  failed(message: string): number {
    this.failures += 1;
    this.unansweredRequests = 0;
    this.lastFailure = message;
    const pauseMs = Math.ceil(backoffMs(AFTER_FAILURE, this.failures));
    this.retryAtMs = this.nowMs + pauseMs;
    return pauseMs;
  }

  /** Lets the next one try at once. */
  release(): void {
    this.retryAtMs = 0;
  }

  private get nowMs(): number {
    return this.clock.now().getTime();
  }
}
