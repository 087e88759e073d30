/** Counts tokens, as models count them. The class is both the type and the injection token. */
export abstract class Tokenizer {
  abstract count(text: string): number;

  /** Loads the tables before the first count. */
  prepare(): void {}

  /** The beginning of a text with at most `maxTokens` tokens, in whole characters. */
  abstract cut(text: string, maxTokens: number): string;

  /** True: it fits, because a token has at least one byte. False: count it. Nearly free. */
  fitsSurely(text: string, maxTokens: number): boolean {
    return Buffer.byteLength(text) <= maxTokens;
  }
}
