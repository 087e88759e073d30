import { ModelError } from '../chat-model.js';
import type { CircuitName } from '../circuit-breaker.js';
import { Embedder, type EmbeddingUse } from '../embedder.js';
import { estimateTokens } from '../openai/token-estimate.js';
import type { Tokenizer } from '../tokenizer.js';
import { BatchSize } from './batch-size.js';
import { promptFor } from './embedding-prompts.js';
import { GuardedEmbeddings } from './guarded-embeddings.js';
import { OpenAiEmbeddings, type OpenAiEmbeddingsOptions } from './openai-embeddings.js';

/** What the largest of the usual models take. */
const mostTokens = 8_000;
/**
 * Somebody waits for a question's vector, and does better without it than late. A batch takes a model on a processor
 * its time, and the model may have to be loaded first.
 */
const timeoutMs = { query: 1_500, item: 60_000 } as const satisfies Record<EmbeddingUse, number>;

/** Where even so much is refused, length is not what is wrong. */
const fewestTokens = 128;

/** Embeds by any provider that speaks OpenAI's protocol, Ollama included: in batches, cut to what the model takes. */
export class OpenAiEmbedder extends Embedder {
  override readonly model: string;
  private readonly client: OpenAiEmbeddings;
  private readonly requests: GuardedEmbeddings;
  private readonly size = new BatchSize();
  /** Of one text; found out as the model refuses longer ones. */
  private maxTokens = mostTokens;

  constructor(
    options: OpenAiEmbeddingsOptions,
    private readonly tokenizer: Tokenizer,
  ) {
    super();
    this.model = options.model;
    this.client = new OpenAiEmbeddings(options);
    this.requests = new GuardedEmbeddings(options.model, (texts, use, signal) =>
      this.client.embed(texts, timeoutMs[use], signal),
    );
  }

  override get state(): CircuitName {
    return this.requests.state;
  }

  override async embed(
    texts: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const prompt = promptFor(this.model, use);
    const inputs = texts.map((text) => `${prompt}${text}`);
    const vectors: Float32Array[] = [];
    while (vectors.length < inputs.length) {
      const batch = this.nextBatch(inputs, vectors.length);
      vectors.push(...(await this.embedBatch(batch, use, signal)));
    }
    checkLengths(vectors);
    return vectors;
  }

  close(): void {
    this.client.close();
  }

  private nextBatch(inputs: readonly string[], start: number): string[] {
    const cut = inputs.slice(start, start + this.size.mostTexts).map((input) => this.cut(input));
    return cut.slice(0, this.size.fit(cut.map(estimateTokens)));
  }

  private async embedBatch(
    batch: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const limit = this.maxTokens;
    const inputs = batch.map((input) => this.cut(input));
    try {
      const startedAt = performance.now();
      const vectors = await this.requests.embed(inputs, use, signal);
      const tokens = inputs.reduce((sum, input) => sum + estimateTokens(input), 0);
      if (use === 'item') this.size.took(tokens, performance.now() - startedAt);
      return vectors;
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.code === 'CONTEXT_TOO_LARGE';
      if (!isTooLong || limit <= fewestTokens) throw error;
      // Another call may have found it out in the meantime.
      this.maxTokens = Math.min(this.maxTokens, shorterThan(inputs, limit, this.tokenizer));
      return this.embedBatch(inputs, use, signal);
    }
  }

  /** What is long says at its beginning what it is about. */
  private cut(input: string): string {
    return this.tokenizer.fitsSurely(input, this.maxTokens)
      ? input
      : this.tokenizer.cut(input, this.maxTokens);
  }
}

const shorterThan = (inputs: readonly string[], limit: number, tokenizer: Tokenizer): number => {
  const longest = inputs.reduce((most, input) => Math.max(most, tokenizer.count(input)), 0);
  return Math.max(fewestTokens, Math.floor(Math.min(longest, limit) / 2));
};

/** Of several batches: a server that was given another model in between must not mix two spaces. */
const checkLengths = (vectors: readonly Float32Array[]): void => {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size <= 1) return;
  const detail = `embeddings of ${[...lengths].join(' and ')} numbers`;
  throw new ModelError('MODEL_UNAVAILABLE', 'The embedder has changed its model.', true, detail);
};
