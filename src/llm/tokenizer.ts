/** Counts tokens, as models count them. The class is both the type and the injection token. */
export abstract class Tokenizer {
  abstract count(text: string): number;

  /** Loads now what the first count would have to wait for. */
  prepare(): void {}

  /** The beginning of the text that is at most so many tokens, of whole characters. */
  abstract cut(text: string, maxTokens: number): string;

  /** An upper bound for any encoding, because a token is at least one byte. Costs next to nothing. */
  atMost(text: string): number {
    return Buffer.byteLength(text);
  }

  /** True: it fits. False: it has to be counted. */
  fitsSurely(text: string, maxTokens: number): boolean {
    return this.atMost(text) <= maxTokens;
  }
}
