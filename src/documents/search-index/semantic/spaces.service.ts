import { Injectable } from '@nestjs/common';
import type { Embedder } from '@palabre/llm-client';

import { Database } from '../../../platform/database/database.js';
import { EmbeddingRepository } from './embedding.repository.js';
import type { VectorSpace } from './vector-schema.repository.js';

/**
 * Unrelated texts in several languages. Their similarity is a model's noise level: from about 0.1 for some models to 0.8
 * for others.
 */
export const unrelatedTexts: readonly string[] = [
  'The meeting about the annual budget has been moved to Thursday afternoon.',
  'Pour la pâte, mélangez la farine, les œufs et une pincée de sel.',
  'El tren de las siete sale del andén número cuatro.',
  '這座山的登山步道因颱風暫時關閉。',
  'Mitochondria supply most of the energy that a cell uses.',
  'My sister plays the cello in a small orchestra.',
  'Le contrat de location prend fin le 31 décembre.',
  'La selección perdió el partido en los penaltis.',
  'Rotate the tyres every ten thousand kilometres.',
  '她最喜歡的顏色是深藍色。',
  'The emperor had the wall extended towards the west.',
  'Ce médicament se prend à jeun, avec un grand verre d’eau.',
];

/** The upper bound of the threshold, for models that find everything similar. */
const MAX_NOISE = 0.85;

/**
 * The similarity below which two texts count as unrelated: the mean similarity of unrelated texts plus two standard
 * deviations.
 */
export function noiseThreshold(vectors: readonly Float32Array[]): number {
  const similarities = vectors.flatMap((one, index) =>
    vectors.slice(index + 1).map((other) => dotProduct(one, other)),
  );
  const mean = average(similarities);
  const deviation = Math.sqrt(average(similarities.map((similarity) => (similarity - mean) ** 2)));
  return Math.min(MAX_NOISE, mean + 2 * deviation);
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

/** Finds or creates the vector space of an embedder. */
@Injectable()
export class VectorSpaces {
  private current: VectorSpace | null = null;

  constructor(
    private readonly database: Database,
    private readonly rows: EmbeddingRepository,
  ) {}

  /** The space of the embedder's vectors, created if needed. Rejects with ModelError. */
  async forEmbedder(embedder: Embedder, signal: AbortSignal): Promise<VectorSpace> {
    this.current ??= await this.findOrMake(embedder, signal);
    return this.current;
  }

  /** Forgets the cached space, after the model behind the name has changed. */
  forget(): void {
    this.current = null;
  }

  private async findOrMake(embedder: Embedder, signal: AbortSignal): Promise<VectorSpace> {
    const { model } = embedder;
    const vectors = await embedder.embed(unrelatedTexts, 'item', signal);
    const space = { model, dimensions: vectors[0]?.length ?? 0, noise: noiseThreshold(vectors) };
    return this.database.systemTransaction((tx) => this.rows.space(tx, space));
  }
}
