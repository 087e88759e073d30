import { z } from 'zod';
import { parseJson } from '@palabre/json';

import { ModelError } from '../chat-model.js';
import type { ProviderSettings } from '../openai/provider-error.js';
import { callError } from '../openai/call-error.js';
import { HttpTransport, type ProviderAddress } from '../openai/http-transport.js';

/** Names of settings in error messages. */
export interface EmbeddingSettings extends ProviderSettings {
  dimensions: string;
}

export interface OpenAiEmbeddingsOptions extends ProviderAddress {
  model: string;
  /** The requested length of vectors. Null: the model's own. */
  dimensions: number | null;
  settings: EmbeddingSettings;
}

/** The largest request's number of vectors, each of maximal length, as text. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** One request to any provider that speaks the embeddings protocol. */
export class OpenAiEmbeddings {
  private readonly transport: HttpTransport;

  constructor(private readonly options: OpenAiEmbeddingsOptions) {
    this.transport = new HttpTransport(options);
  }

  /** A unit vector for each text. Rejects with ModelError, or with the signal's reason when it is aborted. */
  async embed(texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    const { model, apiKey, dimensions, settings } = this.options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const body = await this.request(texts, AbortSignal.any([signal, timeout]));
      return vectorsOf(body, { texts: texts.length, dimensions, settings });
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw tooLate(timeoutMs);
      throw callError(error, { model, apiKey, settings });
    }
  }

  /** Closes all connections to the provider; calls under way fail. */
  close(): void {
    this.transport.close();
  }

  private async request(texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    const { model, dimensions } = this.options;
    const body = {
      model,
      input: texts,
      encoding_format: 'float',
      ...(dimensions === null ? {} : { dimensions }),
    };
    const request = { body: JSON.stringify(body), signal };
    const text = await this.transport.read('/embeddings', request, maxAnswerBytes);
    if (text === null) throw unusable(`more than ${maxAnswerBytes} bytes`);
    const answer = parseJson(text);
    if (answer === null) throw unusable(`no JSON: ${text.slice(0, 200)}`);
    return answer;
  }
}

function tooLate(timeoutMs: number): ModelError {
  return new ModelError(
    'MODEL_UNAVAILABLE',
    'The embedder did not answer in time.',
    true,
    `no answer in ${timeoutMs} ms`,
  );
}

/** Longer vectors cannot be stored. */
const maxDimensions = 16_000;

const Answer = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.unknown() })),
});

interface Asked {
  texts: number;
  /** The requested length. Null: the model's own. */
  dimensions: number | null;
  settings: EmbeddingSettings;
}

/** The unit vectors of an answer of `POST /embeddings`, in the order of the texts. Throws ModelError. */
function vectorsOf(body: unknown, { texts, dimensions, settings }: Asked): Float32Array[] {
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
    if (vector.length !== length)
      throw wrongLength(vector.length, length, dimensions === null ? null : settings);
    return vector;
  });
}

function unitVectorOf(embedding: unknown): Float32Array {
  const numbers = numbersOf(embedding);
  let squares = 0;
  for (const number of numbers) squares += number * number;
  const norm = Math.sqrt(squares);
  // True also for a vector with a component that is infinite or not a number.
  if (!Number.isFinite(norm) || norm === 0) throw unusable('an embedding without a direction');
  return Float32Array.from(numbers, (number) => number / norm);
}

function numbersOf(embedding: unknown): ArrayLike<number> & Iterable<number> {
  if (!Array.isArray(embedding)) throw unusable('an embedding that is no list of numbers');
  if (embedding.length === 0 || embedding.length > maxDimensions)
    throw unusable(`an embedding of ${embedding.length} numbers`);
  const isWrong = (number: unknown): boolean => typeof number !== 'number';
  if (embedding.some(isWrong)) throw unusable('an embedding with something else than numbers');
  return embedding as number[];
}

function unusable(detail: string): ModelError {
  return new ModelError(
    'MODEL_UNAVAILABLE',
    'The embedder gave an answer that cannot be used.',
    true,
    detail,
  );
}

/** `settings`: where the length was set. Null: the other vectors' length. */
function wrongLength(length: number, expected: number, settings: EmbeddingSettings | null): ModelError {
  return settings
    ? new ModelError(
        'MODEL_UNAVAILABLE',
        `The embedder gives vectors of ${length} numbers where ${expected} were asked for: check ${settings.dimensions}.`,
        false,
      )
    : unusable(`embeddings of ${length} and of ${expected} numbers`);
}
