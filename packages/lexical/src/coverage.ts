import { idfOf } from './bm25.js';
import { sharesOf } from './term-weights.js';
import { isGram, type Word } from './terms.js';

/** Calibrated by questions with and without an answer: see docs/decisions/search.md. */
const FLOOR = 0.06;

/** With this few texts, the frequency of a word is half as informative as with very many. */
const FEW_TEXTS = 60;

/** A text with nearly all of the query is not a chance hit, however common its words are. */
const NEARLY_ALL = 0.8;

interface WeightedWord {
  shares: readonly (readonly [term: string, weight: number])[];
  /** The weight of a row of characters by its words: less than that of all its pairs. */
  weight: number;
}

/** How much of a query's information a text covers, and whether chance explains it. */
export class Coverage {
  private readonly words: readonly WeightedWord[];
  /** The weight of the whole query. Unknown words count like the rarest. */
  readonly total: number;
  private readonly items: number;

  /** `df` gives the number of the `items` texts that have a gram. */
  constructor(words: readonly Word[], items: number, df: (gram: string) => number) {
    const grams = words.flatMap(({ terms }) => terms.filter(isGram));
    const idf = new Map(grams.map((gram) => [gram, idfOf(items, df(gram))]));
    // A repeated word counts once.
    const different = new Map(words.map((word) => [word.terms.join(' '), word]));
    this.items = items;
    this.words = Array.from(different.values(), (word) => {
      const shares = sharesOf(word, idf);
      const all = shares.reduce((sum, [, weight]) => sum + weight, 0);
      return { shares, weight: all * shareOfWords(word) };
    });
    this.total = this.words.reduce((sum, { weight }) => sum + weight, 0);
  }

  /**
   * Whether a text with these terms is a chance hit. In more texts, more of a query is covered by chance. Three
   * measures are compared with chance: the covered share of the query, the rarity of the covered words, and their
   * number, since one rare word may be anywhere while several together are seldom chance. Few texts have few chance
   * hits.
   */
  isChance(has: (term: string) => boolean): boolean {
    const each = this.words.map(({ shares, weight }) =>
      Math.min(
        weight,
        shares.reduce((sum, [term, share]) => sum + (has(term) ? share : 0), 0),
      ),
    );
    const covered = each.reduce((sum, weight) => sum + weight, 0);
    if (covered === 0) return true;
    const share = covered / this.total;
    if (share >= NEARLY_ALL) return false;
    // The number of covered words, as if all were equally rare.
    const agreeing = covered ** 2 / each.reduce((sum, weight) => sum + weight ** 2, 0);
    const rarity = covered / Math.log(2 * this.items + 2);
    const floor = (FLOOR * Math.log(this.items + 1) * this.items) / (this.items + FEW_TEXTS);
    return share * Math.sqrt(agreeing * rarity) < floor;
  }
}

/** In a row of characters, the share of pairs within two-character words: 1 for one pair, about half for many. */
function shareOfWords({ isSpaced, terms }: Word): number {
  const characters = (terms.length + 1) / 2;
  return isSpaced || characters < 2 ? 1 : characters / (2 * (characters - 1));
}
