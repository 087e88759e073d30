/** Most providers take several times this in one request; some take far less, which is found out. */
const MAX_TEXTS = 96;
const MAX_TOKENS = 30_000;
const FEWEST_TOKENS = 500;
const FIRST_TOKENS = 4_000;

/** A model that handles one request at a time makes questions wait behind a batch. */
const QUICK_MS = 300;
const SLOW_MS = 1_000;

/**
 * How much goes into one request: as much as the embedder does in a second, be it a data centre or a model
 * on the processor of a small machine.
 */
export class BatchSize {
  private texts = MAX_TEXTS;
  private tokens = FIRST_TOKENS;

  /** A request has no more texts than this, however short they are. */
  get mostTexts(): number {
    return this.texts;
  }

  /** How many of the texts, of so many tokens each, go into the next request; at least one. */
  fit(tokensOfTexts: readonly number[]): number {
    let sum = 0;
    const first = tokensOfTexts.findIndex((tokens) => (sum += tokens) > this.tokens);
    const fitting = first === -1 ? tokensOfTexts.length : Math.max(1, first);
    return Math.min(fitting, this.texts);
  }

  /** The embedder refuses more texts than so many. */
  takesAtMost(texts: number): void {
    this.texts = Math.min(this.texts, texts);
  }

  /** A request of so many tokens took so long. */
  took(tokens: number, ms: number): void {
    if (ms > SLOW_MS) this.tokens = Math.max(FEWEST_TOKENS, Math.round(this.tokens / 2));
    // A small request says nothing of larger ones.
    else if (ms < QUICK_MS && tokens > this.tokens / 2) this.tokens = Math.min(MAX_TOKENS, this.tokens * 2);
  }
}
