import type { CircuitName } from './guard/circuit-breaker.js';

/** The purpose of an embedding: some models need it. */
export type EmbeddingUse = 'query' | 'item';

/** Turns texts into vectors, so that similar meanings are close together. The class is also the injection token. */
export abstract class Embedder {
  /** Identifies the model and length. Vectors of others cannot be compared. */
  abstract readonly model: string;
  /** Whether calls are let through. `open`: several in a row have failed. */
  abstract readonly state: CircuitName;

  /**
   * Unit vectors of equal length, in the order of the texts. Texts may be cut to the model's limit. Rejects with
   * ModelError; aborting `signal` closes the socket and rejects with the signal's reason.
   */
  abstract embed(texts: readonly string[], use: EmbeddingUse, signal: AbortSignal): Promise<Float32Array[]>;
}
