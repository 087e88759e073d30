import { idfOf } from './bm25.js';
import { sharesOf } from './term-weights.js';
import { isGram, type Word } from './terms.js';

/** Pairs of characters that no word has, because one ends between them: about every second one. */
const PAIRS_BETWEEN_WORDS = 0.5;

/** Calibrated by questions with and without an answer: see docs/decisions/search.md. */
const FLOOR = 0.045;

/** Among fewer texts, how many of them have a word says too little of how telling it is. */
const FEWEST_TEXTS = 100;

/** A text that has nearly all that was asked for is no chance hit, however common its words are. */
const NEARLY_ALL = 0.8;

/** How much of a query's information a text covers, and whether it is more than some text among so many has by chance. */
export class Coverage {
  private readonly shares: readonly (readonly [term: string, weight: number])[];
  /** The weight of the whole query; words that no text has count as much as the rarest. */
  readonly total: number;
  private readonly items: number;

  /** `df` tells in how many of `items` texts a gram is, by the gram. */
  constructor(words: readonly Word[], items: number, df: (gram: string) => number) {
    const grams = words.flatMap(({ terms }) => terms.filter(isGram));
    const idf = new Map(grams.map((gram) => [gram, idfOf(items, df(gram))]));
    const shares = words.map((word) => sharesOf(word, idf));
    this.items = items;
    this.shares = shares.flat();
    this.total = words.reduce((sum, { isSpaced, terms }, at) => {
      const whole = (shares[at] ?? []).reduce((weight, [, share]) => weight + share, 0);
      return sum + (isSpaced || terms.length === 1 ? whole : whole * PAIRS_BETWEEN_WORDS);
    }, 0);
  }

  /**
   * Of the text that has these terms. The more texts there are, the more of a query some text covers by chance: in words as
   * rare as can be told, and as a share of the query. Never so among few texts.
   */
  isChance(has: (term: string) => boolean): boolean {
    if (this.items < FEWEST_TEXTS) return false;
    const covered = this.shares.reduce((sum, [term, weight]) => sum + (has(term) ? weight : 0), 0);
    const share = this.total === 0 ? 0 : Math.min(1, covered / this.total);
    if (share >= NEARLY_ALL) return false;
    const words = covered / Math.log(2 * this.items + 2);
    return share * Math.sqrt(words) < FLOOR * Math.log(this.items + 1);
  }
}
