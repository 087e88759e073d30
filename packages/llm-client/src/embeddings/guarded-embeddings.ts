import { setTimeout as sleep } from 'node:timers/promises';

import { ModelError } from '../chat-model.js';
import { CircuitBreaker, type CircuitName } from '../guard/circuit-breaker.js';
import type { EmbeddingUse } from '../embedder.js';
import { ProviderGate } from '../guard/provider-gate.js';

/** Embeds what fits into one request. */
type EmbedOnce = (
  texts: readonly string[],
  use: EmbeddingUse,
  signal: AbortSignal,
) => Promise<Float32Array[]>;

/** Questions have places of their own: somebody waits for them, and for a batch nobody does. */
const places = { query: 16, item: 2 } as const satisfies Record<EmbeddingUse, number>;

/** A question is not asked again: it is answered without its vector sooner. */
const tries = { query: 1, item: 3 } as const satisfies Record<EmbeddingUse, number>;

/** The second pause is twice as long. Up to half of either is left out by chance, so that not all come again at once. */
const firstPauseMs = 1_000;
/** A provider that asks for a longer pause is not retried: the job runs again later. */
const longestPauseMs = 20_000;

/** The requests to one embedder: so many at a time, again after a passing failure, and none while it is down. */
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
  async embed(texts: readonly string[], use: EmbeddingUse, signal: AbortSignal): Promise<Float32Array[]> {
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await this.guarded(texts, use, signal);
      } catch (error) {
        const pauseMs = failures < tries[use] ? pauseAfter(error, failures) : null;
        if (pauseMs === null) throw error;
        // An abort ends the pause, and its reason is thrown above.
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
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
  const pauseMs = error.retryAfterMs ?? firstPauseMs * failures * (1 - Math.random() / 2);
  return pauseMs > longestPauseMs ? null : pauseMs;
}
