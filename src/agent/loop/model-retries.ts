import { ModelError } from '@palabre/llm-client';
import { backoffMs } from '@palabre/async';

/** The most tries of a model before the next model. */
const MAX_TRIES = 4;
/** How often a prompt is shortened after the provider found it too long. */
const MAX_NARROWINGS = 3;
const PAUSES = { firstMs: 500, maxMs: 30_000 };
/** The longest total wait that a model may ask for if there is another model. */
const MAX_ASKED_MS = 5_000;

type NextTry = { type: 'narrower' } | { type: 'again'; pauseMs: number };

/** Chooses the model and the step after a failure. */
export class ModelRetries {
  private index = 0;
  private tries = 0;
  private narrowings = 0;
  /** The total wait that the provider asked for. */
  private askedMs = 0;

  constructor(private readonly candidates: readonly string[]) {}

  get model(): string {
    const model = this.candidates[this.index];
    if (model === undefined) throw new Error('There is no model that could be called.');
    return model;
  }

  /** The next step after `error`. Null: none. A pause fits into `leftMs`. */
  after(error: ModelError, leftMs: number): NextTry | null {
    if (error.code === 'MODEL_REFUSED') return null;
    if (error.code === 'CONTEXT_TOO_LARGE') return this.narrower();
    if (!error.retryable) return this.nextModel();
    this.tries += 1;
    const askedMs = error.retryAfterMs ?? 0;
    this.askedMs += askedMs;
    // A short wait is accepted. After that, or if the circuit breaker refused the call, another model is faster.
    const isLong = error.wasNotAsked ? askedMs > 0 : this.askedMs > MAX_ASKED_MS;
    if (isLong && this.hasNext) return this.nextModel();
    // Some providers ask for hardly any wait, and go on failing.
    const pauseMs = Math.max(askedMs, Math.round(backoffMs(PAUSES, this.tries)));
    return this.tries < MAX_TRIES && pauseMs <= leftMs ? { type: 'again', pauseMs } : this.nextModel();
  }

  private narrower(): NextTry | null {
    this.narrowings += 1;
    return this.narrowings <= MAX_NARROWINGS ? { type: 'narrower' } : null;
  }

  private nextModel(): NextTry | null {
    if (!this.hasNext) return null;
    this.index += 1;
    this.tries = 0;
    this.askedMs = 0;
    return { type: 'again', pauseMs: 0 };
  }

  private get hasNext(): boolean {
    return this.index + 1 < this.candidates.length;
  }
}
