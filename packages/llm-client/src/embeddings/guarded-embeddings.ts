import { backoffMs, retry } from '@palabre/async';

import { ModelError } from '../chat-model.js';
import { CircuitBreaker, type CircuitName } from '../guard/circuit-breaker.js';
import type { EmbeddingUse } from '../embedder.js';
import { ProviderGate } from '../guard/provider-gate.js';

type EmbedOnce = (
  texts: readonly string[],
  use: EmbeddingUse,
  signal: AbortSignal,
) => Promise<Float32Array[]>;

/** Questions have their own places, because people wait for them, unlike for batches. */
const places = { query: 16, item: 2 } as const satisfies Record<EmbeddingUse, number>;

/** A question is not retried: an answer without its vector is faster. */
const tries = { query: 1, item: 3 } as const satisfies Record<EmbeddingUse, number>;

const pauses = { firstMs: 1_000, maxMs: 8_000 };
/** A provider that asks for a longer pause is not retried: the job runs again later. */
const longestPauseMs = 20_000;

/** Limits and retries the requests to one embedder, and makes none while it is down. */
export class GuardedEmbeddings {
  private readonly circuit: CircuitBreaker;
  private readonly gates = { query: new ProviderGate(places.query), item: new ProviderGate(places.item) };

  constructor(
    model: string,
    private readonly once: EmbedOnce,
  ) {
    this.circuit = new CircuitBreaker(model);
  }

  get state(): CircuitName {
    return this.circuit.state;
  }

  /** Rejects at once with a retryable ModelError while the circuit is open. */
  embed(texts: readonly string[], use: EmbeddingUse, signal: AbortSignal): Promise<Float32Array[]> {
    return retry(
      () => this.guarded(texts, use, signal),
      (error, failures) => (failures < tries[use] ? pauseAfter(error, failures) : null),
      { signal },
    );
  }

  private async guarded(
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    // Checked before the wait, which would be useless otherwise, and again after it.
    this.circuit.check();
    const leave = await this.gates[use].enter('', signal);
    try {
      const attempt = this.circuit.admit();
      try {
        const vectors = await this.once(texts, use, signal);
        attempt.succeeded();
        return vectors;
      } catch (error) {
        if (signal.aborted) attempt.abandoned();
        else attempt.failed(error);
        throw error;
      }
    } finally {
      leave();
    }
  }
}

/** Null: do not try again. */
function pauseAfter(error: unknown, failures: number): number | null {
  if (!(error instanceof ModelError) || !error.retryable) return null;
  const pauseMs = error.retryAfterMs ?? backoffMs(pauses, failures);
  return pauseMs > longestPauseMs ? null : pauseMs;
}
