import type { CircuitName } from './guard/circuit-breaker.js';

/** What a text is embedded for: some models want to be told. */
export type EmbeddingUse = 'query' | 'item';

/** What texts are turned into, so that what means the same is close together. The class is also the injection token. */
export abstract class Embedder {
  /** Vectors of different models cannot be compared, nor those of different lengths. */
  abstract readonly model: string;
  /** Whether calls are let through: `open` while it has failed several times in a row. */
  abstract readonly state: CircuitName;

  /**
   * A unit vector for each text, in their order and all of one length; texts may be cut to what the model takes.
   * Rejects with ModelError; aborting `signal` closes the socket and rejects with the signal's reason.
   */
  abstract embed(texts: readonly string[], use: EmbeddingUse, signal: AbortSignal): Promise<Float32Array[]>;
}
