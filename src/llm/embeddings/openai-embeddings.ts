import type { OpenAI } from 'openai';

import { ModelError } from '../chat-model.js';
import { HttpTransport } from '../openai/http-transport.js';
import { readJson } from '../openai/read-json.js';
import { providerClient } from '../openai/provider-client.js';
import { sdkError } from '../openai/errors/sdk-error.js';
import { vectorsOf } from './embedding-answer.js';

export interface OpenAiEmbeddingsOptions {
  /** With the version: `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Empty for a provider that asks for none. */
  apiKey: string;
  model: string;
  /** How long the vectors shall be; null: as the model makes them. */
  dimensions: number | null;
}

/** As many vectors as a request holds at most, each as long as can be, written out. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** One request to any provider that speaks the embeddings protocol. */
export class OpenAiEmbeddings {
  private readonly transport = new HttpTransport();
  private readonly client: OpenAI;

  constructor(private readonly options: OpenAiEmbeddingsOptions) {
    this.client = providerClient(options, this.transport);
  }

  /** A unit vector for each text. Rejects with ModelError, or with the signal's reason when it is aborted. */
  async embed(texts: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    const { model, apiKey, dimensions } = this.options;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const body = await this.request(texts, AbortSignal.any([signal, timeout]));
      return vectorsOf(body, { texts: texts.length, dimensions });
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw tooLate(timeoutMs);
      throw sdkError(error, { model, apiKey, settings: 'EMBEDDING' });
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
      input: [...texts],
      // Without it the SDK asks for base64, which some servers pass over and others refuse.
      encoding_format: 'float' as const,
      ...(dimensions === null ? {} : { dimensions }),
    };
    const response = await this.client.embeddings.create(body, { signal }).asResponse();
    return readJson(this.transport.messageOf(response), { maxBytes: maxAnswerBytes, signal });
  }
}

const tooLate = (timeoutMs: number): ModelError =>
  new ModelError(
    'MODEL_UNAVAILABLE',
    'The embedder did not answer in time.',
    true,
    `no answer in ${timeoutMs} ms`,
  );
