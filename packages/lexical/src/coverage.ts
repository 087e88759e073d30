import { idfOf } from './bm25.js';
import { sharesOf } from './term-weights.js';
import { isGram, type Word } from './terms.js';

/** Calibrated by questions with and without an answer: see docs/decisions/search.md. */
const FLOOR = 0.06;

/** Among so many texts, how many of them have a word says half as much of how telling it is as among very many. */
const FEW_TEXTS = 60;

/** A text that has nearly all that was asked for is no chance hit, however common its words are. */
const NEARLY_ALL = 0.8;

/** A word of a query, and what each of its terms tells. */
interface WeightedWord {
  shares: readonly (readonly [term: string, weight: number])[];
  /** Of a row of characters, what its words weigh: less than all of its pairs. */
  weight: number;
}

/** How much of a query's information a text covers, and whether it is more than some text among so many has by chance. */
export class Coverage {
  private readonly words: readonly WeightedWord[];
  /** The weight of the whole query; words that no text has count as much as the rarest. */
  readonly total: number;
  private readonly items: number;

  /** `df` tells in how many of `items` texts a gram is, by the gram. */
  constructor(words: readonly Word[], items: number, df: (gram: string) => number) {
    const grams = words.flatMap(({ terms }) => terms.filter(isGram));
    const idf = new Map(grams.map((gram) => [gram, idfOf(items, df(gram))]));
    // What is asked twice is one thing to be found.
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
   * Of the text that has these terms. The more texts there are, the more of a query some text covers by chance: as a share
   * of the query, in words as rare as can be told, and in how many words agree, since one rare word may be anywhere while
   * several that stand together seldom do by chance. Among few texts little is taken for chance.
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
    // So many, were they equally rare.
    const agreeing = covered ** 2 / each.reduce((sum, weight) => sum + weight ** 2, 0);
    const rarity = covered / Math.log(2 * this.items + 2);
    const floor = (FLOOR * Math.log(this.items + 1) * this.items) / (this.items + FEW_TEXTS);
    return share * Math.sqrt(agreeing * rarity) < floor;
  }
}

/** Of all pairs of a row of characters, those within words of two: one of one, about half of many. */
function shareOfWords({ isSpaced, terms }: Word): number {
  const characters = (terms.length + 1) / 2;
  return isSpaced || characters < 2 ? 1 : characters / (2 * (characters - 1));
}
