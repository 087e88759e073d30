/** Most providers take several times this in a request. A lower limit is learnt from refusals. */
const MAX_TEXTS = 96;
const MAX_TOKENS = 30_000;
const FEWEST_TOKENS = 500;
const FIRST_TOKENS = 4_000;

/** A model that handles one request at a time makes questions wait behind a batch. */
const QUICK_MS = 300;
const SLOW_MS = 1_000;

/**
 * Limits a request to what the embedder does in a second, whether it is a data centre or a model on a small machine's
 * processor.
 */
export class BatchSize {
  private texts = MAX_TEXTS;
  private tokens = FIRST_TOKENS;

  /** The most texts of a request, however short they are. */
  get mostTexts(): number {
    return this.texts;
  }

  /** How many of the texts go into the next request, by their tokens. At least one. */
  fit(tokensOfTexts: readonly number[]): number {
    let sum = 0;
    const first = tokensOfTexts.findIndex((tokens) => (sum += tokens) > this.tokens);
    const fitting = first === -1 ? tokensOfTexts.length : Math.max(1, first);
    return Math.min(fitting, this.texts);
  }

  /** Records that the embedder refuses more texts than this. */
  takesAtMost(texts: number): void {
    this.texts = Math.min(this.texts, texts);
  }

  took(tokens: number, ms: number): void {
    if (ms > SLOW_MS) this.tokens = Math.max(FEWEST_TOKENS, Math.round(this.tokens / 2));
    // A small request does not predict larger ones.
    else if (ms < QUICK_MS && tokens > this.tokens / 2) this.tokens = Math.min(MAX_TOKENS, this.tokens * 2);
  }
}
