import { circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
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
  /** Other calls are let in when this resolves. The same holds for `failed`. */
  succeeded(): Promise<void>;
  failed(error: unknown): Promise<void>;
  /** The caller stopped the call, which says nothing about the model. */
  abandoned(): Promise<void>;
  /** This call is the only one let through, to test whether the model works again. */
  readonly isTrial: boolean;
}

class AbandonedTrial extends Error {}

/**
 * Keeps calls from a model that has failed several times in a row: they would only wait for another failure. After a
 * while one call is let through; if it goes well, all are. A request's own fault does not count.
 */
export class CircuitBreaker {
  private opensAgainAt = 0;
  private readonly policy = circuitBreaker(handleWhen(countsAsFailure), {
    breaker: new ConsecutiveBreaker(failuresThatOpen),
    halfOpenAfter: { next: ({ result }) => this.pauseAfter('error' in result ? result.error : null) },
  });

  constructor(private readonly model: string) {}

  get state(): CircuitName {
    switch (this.policy.state) {
      case CircuitState.Closed:
        return 'closed';
      case CircuitState.Open:
        return Date.now() < this.opensAgainAt ? 'open' : 'half-open';
      default:
        return 'half-open';
    }
  }

  /** Throws ModelError while no call is let through. */
  check(): void {
    if (this.policy.state === CircuitState.HalfOpen) throw this.refusal(trialRetryAfterMs);
    const leftMs = this.opensAgainAt - Date.now();
    if (this.policy.state === CircuitState.Open && leftMs > 0) throw this.refusal(leftMs);
  }

  /** Lets a call through, or throws as `check` does. */
  admit(): Attempt {
    this.check();
    const outcome = Promise.withResolvers<void>();
    // The call itself reports the error to its caller.
    const recorded = this.policy.execute(() => outcome.promise).catch(() => undefined);
    const isTrial = this.policy.state === CircuitState.HalfOpen;
    const fail = (error: unknown): Promise<void> => {
      outcome.reject(error);
      return recorded;
    };
    return {
      isTrial,
      succeeded: () => {
        outcome.resolve();
        return recorded;
      },
      failed: fail,
      abandoned: () => fail(isTrial ? new AbandonedTrial() : new Error('abandoned')),
    };
  }

  private pauseAfter(error: unknown) {
    const duration = error instanceof AbandonedTrial ? 0 : Math.min(retryAfterOf(error), maxOpenMs);
    this.opensAgainAt = Date.now() + duration;
    return { duration, next: ({ result }: { result: object }) => this.pauseAfter(errorOf(result)) };
  }

  private refusal(retryAfterMs: number): ModelError {
    const message = `The model ${this.model} has failed several times in a row: it is left alone for a while.`;
    return new ModelError('MODEL_UNAVAILABLE', message, true, 'circuit open', retryAfterMs, {
      wasNotAsked: true,
    });
  }
}

function countsAsFailure(error: unknown): boolean {
  return (
    error instanceof AbandonedTrial ||
    (error instanceof ModelError && error.retryable && !isRequestsOwn(error.status))
  );
}

/** An error caused by one prompt may be retried, and says nothing about other prompts. */
function isRequestsOwn(status: number | undefined): boolean {
  return status !== undefined && status < 500 && ![408, 409, 429].includes(status);
}

function retryAfterOf(error: unknown): number {
  return error instanceof ModelError ? (error.retryAfterMs ?? openMs) : openMs;
}

function errorOf(result: object): unknown {
  return 'error' in result ? result.error : null;
}
