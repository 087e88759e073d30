/** Counts tokens, as models count them. The class is both the type and the injection token. */
export abstract class Tokenizer {
  abstract count(text: string): number;

  /** Loads now what the first count would have to wait for. */
  prepare(): void {}

  /** The beginning of the text that is at most so many tokens, of whole characters. */
  abstract cut(text: string, maxTokens: number): string;

  /** True: it fits, for a token is at least one byte. False: it has to be counted. Costs next to nothing. */
  fitsSurely(text: string, maxTokens: number): boolean {
    return Buffer.byteLength(text) <= maxTokens;
  }
}
