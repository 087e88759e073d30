import { ModelError } from '../chat-model.js';
import { Embedder, type EmbeddingUse } from '../embedder.js';
import type { CircuitName } from '../guard/circuit-breaker.js';
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

const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** If so few tokens are refused, length is not the cause. */
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

  /** A batch that is refused was too large, or has a text that is: its halves show which. */
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
    // Not where a text had to be cut: larger batches than this may do.
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

  /** A text that is refused by itself may be too long; or else there is nothing to be done. */
  private shorten([input = '']: readonly string[], error: ModelError): void {
    const tokens = this.tokenizer.count(input);
    // What is too much for a minute says nothing of the model, and the limit is for good.
    const isTooLong = error.code === 'CONTEXT_TOO_LARGE' && error.status !== 429;
    if (!isTooLong || tokens <= fewestTokens) throw error;
    // Another call may have found it out in the meantime.
    this.maxTokens = Math.min(this.maxTokens, Math.max(fewestTokens, Math.floor(tokens / 2)));
  }

  /** Cuts the end: a long text says at its beginning what it is about. */
  private cut(input: string): string {
    return this.tokenizer.cut(input, this.maxTokens);
  }
}

/** Whether it is what was sent that the embedder does not take: too much of it, or one of the texts. */
function isRefusal(error: unknown): error is ModelError {
  return (
    error instanceof ModelError &&
    (error.code === 'CONTEXT_TOO_LARGE' || (!error.retryable && refusals.has(error.status ?? 0)))
  );
}

/** Of several batches: a server that was given another model in between must not mix two spaces. */
function checkLengths(vectors: readonly Float32Array[]): void {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size <= 1) return;
  const detail = `embeddings of ${[...lengths].join(' and ')} numbers`;
  throw new ModelError('MODEL_UNAVAILABLE', 'The embedder has changed its model.', true, detail);
}
