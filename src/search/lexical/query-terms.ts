import { idfOf } from './bm25.js';
import { hashOfTerm } from './term-hash.js';
import { termsOf, WORD_MARK } from './terms.js';

const MAX_QUERY_CHARACTERS = 20_000;

/** Each is looked up. Longer queries are known well enough by a part of their terms. */
const MAX_GRAMS = 256;

/** What a query asks for: grams, which are in lists, and whole words, which are not. */
export class QueryTerms {
  private constructor(
    /** By their hashes. */
    readonly grams: ReadonlyMap<number, string>,
    private readonly words: readonly string[],
  ) {}

  static of(text: string): QueryTerms {
    const grams: [number, string][] = [];
    const words: string[] = [];
    for (const term of termsOf(text.slice(0, MAX_QUERY_CHARACTERS)).keys()) {
      if (term.startsWith(WORD_MARK)) words.push(term);
      else grams.push([hashOfTerm(term), term]);
    }
    // By their hashes they are chosen as by lot, from all over the query, and always the same.
    if (grams.length > MAX_GRAMS) grams.sort(([one], [other]) => one - other);
    return new QueryTerms(new Map(grams.slice(0, MAX_GRAMS)), words);
  }

  /** All of them, grams before words. */
  get terms(): string[] {
    return [...this.grams.values(), ...this.words];
  }

  get isEmpty(): boolean {
    return this.grams.size === 0;
  }

  /** The weight of each term, of which `df` says by the hash in how many of `items` it is. */
  idf(items: number, df: (gram: number) => number): Map<string, number> {
    const idf = new Map<string, number>();
    for (const [hash, gram] of this.grams) idf.set(gram, idfOf(items, df(hash)));
    // Nobody counts in how many items a word is. It is at least as rare as the rarest of its grams.
    for (const word of this.words) {
      const weight = rarestOf(word, idf);
      if (weight > 0) idf.set(word, weight);
    }
    return idf;
  }
}

const rarestOf = (word: string, idf: ReadonlyMap<string, number>): number => {
  let most = 0;
  for (const gram of termsOf(word).keys()) most = Math.max(most, idf.get(gram) ?? 0);
  return most;
};
