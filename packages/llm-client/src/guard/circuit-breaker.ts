import { ModelError } from '../chat-model.js';

export type CircuitName = 'closed' | 'open' | 'half-open';

const failuresThatOpen = 5;
const openMs = 15_000;
/** A longer Retry-After is cut to this, because providers often lift their limits earlier. */
const maxOpenMs = 300_000;
/** How long to wait while a trial call is under way. */
const trialRetryAfterMs = 1_000;

/** Reports how a call ended. Only the first of the three reports counts. */
export interface Attempt {
  succeeded(): void;
  failed(error: unknown): void;
  /** The caller stopped the call, which says nothing about the model. */
  abandoned(): void;
  /** This call is the only one let through, to test whether the model works again. */
  readonly isTrial: boolean;
}

/**
 * Blocks calls to a model after several failures in a row, because they would only wait for another. After a while
 * one call is let through; if it succeeds, all are. Faults of the request itself do not count.
 */
export class CircuitBreaker {
  /** Failures in a row. */
  private failures = 0;
  /** When a trial call is let through. Null: all calls are. */
  private opensAgainAt: number | null = null;
  private isTried = false;

  constructor(private readonly model: string) {}

  get state(): CircuitName {
    if (this.opensAgainAt === null) return 'closed';
    return Date.now() < this.opensAgainAt ? 'open' : 'half-open';
  }

  /** Throws ModelError while no call is let through. */
  check(): void {
    if (this.isTried) throw this.refusal(trialRetryAfterMs);
    const leftMs = (this.opensAgainAt ?? 0) - Date.now();
    if (leftMs > 0) throw this.refusal(leftMs);
  }

  /** Lets a call through, or throws as `check` does. */
  admit(): Attempt {
    this.check();
    const isTrial = this.opensAgainAt !== null;
    this.isTried = isTrial;
    let isReported = false;
    const report = (note: () => void): void => {
      // A call from before the circuit opened does not close it.
      if (!isReported && this.isTried === isTrial && (isTrial || this.opensAgainAt === null)) note();
      isReported = true;
    };
    return {
      isTrial,
      succeeded: () => report(() => this.close()),
      failed: (error) => report(() => this.fail(error, isTrial)),
      abandoned: () =>
        report(() => {
          if (isTrial) this.open(0);
        }),
    };
  }

  private fail(error: unknown, isTrial: boolean): void {
    if (!countsAsFailure(error)) {
      // The model has answered the trial.
      if (isTrial) this.close();
      return;
    }
    this.failures += 1;
    if (isTrial || this.failures >= failuresThatOpen) this.open(error.retryAfterMs ?? openMs);
  }

  private close(): void {
    this.failures = 0;
    this.opensAgainAt = null;
    this.isTried = false;
  }

  private open(forMs: number): void {
    this.opensAgainAt = Date.now() + Math.min(forMs, maxOpenMs);
    this.isTried = false;
  }

  private refusal(retryAfterMs: number): ModelError {
    const message = `The model ${this.model} has failed several times in a row: it is left alone for a while.`;
    return new ModelError('MODEL_UNAVAILABLE', message, true, 'circuit open', retryAfterMs, {
      wasNotAsked: true,
    });
  }
}

/** An error caused by one prompt may be retried, and says nothing about other prompts. */
function countsAsFailure(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || !error.retryable) return false;
  const { status } = error;
  return status === undefined || status >= 500 || [408, 409, 429].includes(status);
}
