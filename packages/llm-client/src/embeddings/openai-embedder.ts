import { ModelError } from '../chat-model.js';
import { Embedder, type EmbeddingUse } from '../embedder.js';
import type { CircuitName } from '../guard/circuit-breaker.js';
import { estimateTokens } from '../openai/token-estimate.js';
import type { Tokenizer } from '../tokenizer.js';
import { BatchSize } from './batch-size.js';
import { promptFor } from './embedding-prompts.js';
import { GuardedEmbeddings } from './guarded-embeddings.js';
import { OpenAiEmbeddings, type OpenAiEmbeddingsOptions } from './openai-embeddings.js';

/** The limit of the largest usual models. */
const mostTokens = 8_000;
/**
 * A person waits for a question's vector, and having none is better than a late one. A batch may need a slow model to
 * be loaded first.
 */
const timeoutMs = { query: 1_500, item: 60_000 } as const satisfies Record<EmbeddingUse, number>;

const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** If so few tokens are refused, length is not the cause. */
const fewestTokens = 128;

/** Embeds by any provider with OpenAI's protocol, such as Ollama, in batches. Cuts texts to the model's limit. */
export class OpenAiEmbedder extends Embedder {
  override readonly model: string;
  private readonly client: OpenAiEmbeddings;
  private readonly requests: GuardedEmbeddings;
  private readonly size = new BatchSize();
  /** The most tokens of a text, lowered when the model refuses longer ones. */
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
      const batch = this.nextBatch(inputs.slice(vectors.length));
      vectors.push(...(await this.embedBatch(batch, use, signal)));
    }
    checkLengths(vectors);
    return vectors;
  }

  close(): void {
    this.client.close();
  }

  private nextBatch(inputs: readonly string[]): string[] {
    const cut = inputs.slice(0, this.size.mostTexts).map((input) => this.cut(input));
    return cut.slice(0, this.size.fit(cut.map(estimateTokens)));
  }

  /** A refused batch is too large, or has a text that is. Its halves show which. */
  private async embedBatch(
    batch: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { maxTokens } = this;
    const inputs = batch.map((input) => this.cut(input));
    if (inputs.length <= this.size.mostTexts) {
      try {
        return await this.embedAtOnce(inputs, use, signal);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (inputs.length === 1) {
          this.shorten(inputs, error);
          return this.embedBatch(inputs, use, signal);
        }
      }
    }
    const half = Math.ceil(inputs.length / 2);
    const first = await this.embedBatch(inputs.slice(0, half), use, signal);
    const second = await this.embedBatch(inputs.slice(half), use, signal);
    // A batch with a shortened text says nothing about the batch size.
    if (this.maxTokens === maxTokens) this.size.takesAtMost(half);
    return [...first, ...second];
  }

  private async embedAtOnce(
    inputs: readonly string[],
    use: EmbeddingUse,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const startedAt = performance.now();
    const vectors = await this.requests.embed(inputs, use, signal);
    const tokens = inputs.reduce((sum, input) => sum + estimateTokens(input), 0);
    if (use === 'item') this.size.took(tokens, performance.now() - startedAt);
    return vectors;
  }

  /** Lowers the limit of a text after one was refused alone. Throws `error` if its length cannot be the cause. */
  private shorten([input = '']: readonly string[], error: ModelError): void {
    const tokens = this.tokenizer.count(input);
    // A rate limit says nothing about the model's limit, which is permanent.
    const isTooLong = error.code === 'CONTEXT_TOO_LARGE' && error.status !== 429;
    if (!isTooLong || tokens <= fewestTokens) throw error;
    // Another call may have learnt it meanwhile.
    this.maxTokens = Math.min(this.maxTokens, Math.max(fewestTokens, Math.floor(tokens / 2)));
  }

  /** Cuts the end, because a long text states its subject at the beginning. */
  private cut(input: string): string {
    return this.tokenizer.cut(input, this.maxTokens);
  }
}

/** Whether the embedder refuses the input: its amount, or one of the texts. */
function isRefusal(error: unknown): error is ModelError {
  return (
    error instanceof ModelError &&
    (error.code === 'CONTEXT_TOO_LARGE' || (!error.retryable && refusals.has(error.status ?? 0)))
  );
}

/** All vectors of a batch have one length. A server whose model changed meanwhile must not mix two spaces. */
function checkLengths(vectors: readonly Float32Array[]): void {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size <= 1) return;
  const detail = `embeddings of ${[...lengths].join(' and ')} numbers`;
  throw new ModelError('MODEL_UNAVAILABLE', 'The embedder has changed its model.', true, detail);
}
