import { z } from 'zod';

import { ModelError } from '../chat-model.js';

/** Longer ones cannot be stored. */
const maxDimensions = 16_000;

const Answer = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.unknown() })),
});

export interface Asked {
  texts: number;
  /** How long the vectors were asked to be; null: as the model makes them. */
  dimensions: number | null;
}

/** The unit vectors of an answer of `POST /embeddings`, in the order of the texts. Throws ModelError. */
export function vectorsOf(body: unknown, { texts, dimensions }: Asked): Float32Array[] {
  const answer = Answer.safeParse(body);
  if (!answer.success) throw unusable('no list of embeddings');
  const { data } = answer.data;
  if (data.length !== texts) throw unusable(`${data.length} embeddings of ${texts} texts`);
  const vectors = Array.from<Float32Array | undefined>({ length: texts });
  data.forEach(({ index = 0, embedding }, position) => {
    // Some servers number all of them 0.
    const place = texts > 1 && data[1]?.index === data[0]?.index ? position : index;
    vectors[place] = unitVectorOf(embedding);
  });
  const [first] = vectors;
  const length = dimensions ?? first?.length ?? 0;
  return vectors.map((vector, place) => {
    if (vector === undefined) throw unusable(`no embedding number ${place}`);
    if (vector.length !== length) throw wrongLength(vector.length, length, dimensions !== null);
    return vector;
  });
}

function unitVectorOf(embedding: unknown): Float32Array {
  const numbers = numbersOf(embedding);
  let squares = 0;
  for (const number of numbers) squares += number * number;
  const norm = Math.sqrt(squares);
  // Also where one of them is no number, or infinite.
  if (!Number.isFinite(norm) || norm === 0) throw unusable('an embedding without a direction');
  return Float32Array.from(numbers, (number) => number / norm);
}

function numbersOf(embedding: unknown): ArrayLike<number> & Iterable<number> {
  if (!Array.isArray(embedding)) throw unusable('an embedding that is no list of numbers');
  if (embedding.length === 0 || embedding.length > maxDimensions) {
    throw unusable(`an embedding of ${embedding.length} numbers`);
  }
  const isWrong = (number: unknown): boolean => typeof number !== 'number';
  if (embedding.some(isWrong)) throw unusable('an embedding with something else than numbers');
  return embedding as number[];
}

const unusable = (detail: string): ModelError =>
  new ModelError('MODEL_UNAVAILABLE', 'The embedder gave an answer that cannot be used.', true, detail);

const wrongLength = (length: number, expected: number, isAsked: boolean): ModelError =>
  isAsked
    ? new ModelError(
        'MODEL_UNAVAILABLE',
        `The embedder gives vectors of ${length} numbers where ${expected} were asked for: check EMBEDDING_DIMENSIONS.`,
        false,
      )
    : unusable(`embeddings of ${length} and of ${expected} numbers`);
