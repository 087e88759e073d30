import { idfOf } from './bm25.js';
import { Coverage } from './coverage.js';
import { rewritingsOf } from './figures.js';
import { otherSpellingsOf } from './han-spellings.js';
import { hashOfTerm } from './term-hash.js';
import { weightsOf } from './term-weights.js';
import { isGram, type Word, wordsOf } from './terms.js';

const MAX_QUERY_CHARACTERS = 20_000;

/** Each is looked up. Longer queries are known well enough by a part of their terms. */
const MAX_GRAMS = 256;

/** Looked up besides, of what the query may be in other spellings. */
const MAX_OTHER_GRAMS = 256;

/** In how many items a gram is, by its hash. */
type Frequency = (gram: number) => number;

/** Words of the query, and those that a text has instead which writes the same otherwise: all of them, or it does not. */
interface Rewritten {
  own: readonly Word[];
  others: readonly Word[];
}

function termsIn(words: readonly Word[]): string[] {
  return [...new Set(words.flatMap(({ terms }) => terms))];
}

/** How texts cover what a query asks about. */
interface QueryCoverage {
  /** The weight of all of it, as scores are made of weights; words that no text has count as the rarest. */
  total: number;
  /** Whether a text with these of the query's terms is found by chance: see Coverage. */
  isChance: (terms: ReadonlySet<string>) => boolean;
}

/** What a query asks for: grams, which are in lists, and whole words, which are not. */
export class QueryTerms {
  /** By their hashes. */
  readonly grams: ReadonlyMap<number, string>;
  private readonly words: readonly Word[];
  /** Of its own grams, as other texts may have them. */
  private readonly spellings: ReadonlyMap<string, readonly string[]>;
  private readonly rewritten: readonly Rewritten[];

  private constructor(
    grams: ReadonlyMap<number, string>,
    words: readonly Word[],
    spellings: ReadonlyMap<string, readonly string[]>,
    rewritten: readonly Rewritten[],
  ) {
    this.grams = grams;
    this.words = words;
    this.spellings = spellings;
    this.rewritten = rewritten;
  }

  static of(given: string): QueryTerms {
    const text = given.slice(0, MAX_QUERY_CHARACTERS);
    const words = wordsOf(text);
    const grams = termsIn(words)
      .filter(isGram)
      .map((gram) => [hashOfTerm(gram), gram] as const);
    // By their hashes they are chosen as by lot, from all over the query, and always the same.
    if (grams.length > MAX_GRAMS) grams.sort(([one], [other]) => one - other);
    const own = new Map(grams.slice(0, MAX_GRAMS));
    const room = new Room(MAX_OTHER_GRAMS);
    const rewritten = rewritingsOf(text)
      .map((each) => ({ own: wordsOf(each.own), others: wordsOf(each.other) }))
      .filter(({ others }) => room.take(termsIn(others).filter(isGram).length));
    const spellings = Array.from(own.values(), (gram) => [gram, otherSpellingsOf(gram)] as const);
    return new QueryTerms(
      own,
      words,
      new Map(spellings.filter(([, others]) => others.length > 0 && room.take(others.length))),
      rewritten,
    );
  }

  /** All of them, also as they may be written otherwise: its own grams, then its words, then the rest. */
  get terms(): string[] {
    const words = termsIn(this.words).filter((term) => !isGram(term));
    const spellings = [...this.spellings.values()].flat();
    const rewritten = termsIn(this.rewritten.flatMap(({ others }) => others));
    return [...new Set([...this.grams.values(), ...words, ...spellings, ...rewritten])];
  }

  /** What lists are read of, by hash, each once. */
  get listed(): number[] {
    return [...new Set(this.terms.filter(isGram).map(hashOfTerm))];
  }

  get isEmpty(): boolean {
    return this.grams.size === 0;
  }

  /**
   * The weight of each of its own terms that is in any text, of which `df` says by the hash in how many of `items` it is.
   * However it is spelt, a term is one.
   */
  idf(items: number, df: Frequency): Map<string, number> {
    return weightsOf(this.words, this.idfOfGrams(items, df));
  }

  /** How rare each of these terms is by itself, for scores to which a word counts the more the longer it is. */
  rarity(items: number, df: Frequency): Map<string, number> {
    const rarity = this.idfOfGrams(items, df);
    for (const { terms } of this.words) {
      const word = terms.find((term) => !isGram(term));
      if (word !== undefined) rarity.set(word, Math.max(0, ...terms.map((term) => rarity.get(term) ?? 0)));
    }
    return rarity;
  }

  /** `telling`: the words of the query that say what it asks about. What a text writes otherwise counts as what was asked. */
  coverage(telling: string, items: number, df: Frequency): QueryCoverage {
    const looked = new Set(this.grams.values());
    const words = wordsOf(telling)
      .map((word) => ({ ...word, terms: word.terms.filter((term) => !isGram(term) || looked.has(term)) }))
      .filter(({ terms }) => terms.some(isGram));
    const coverage = new Coverage(words, items, (gram) => this.dfOf(gram, df));
    const isChance = (terms: ReadonlySet<string>): boolean => {
      const rewritten = this.rewritten.filter(({ others }) =>
        termsIn(others).every((term) => terms.has(term)),
      );
      const same = new Set(termsIn(rewritten.flatMap(({ own }) => own)));
      const isThere = (term: string): boolean => terms.has(term) || same.has(term);
      return coverage.isChance(
        (term) => isThere(term) || (this.spellings.get(term) ?? []).some((spelling) => terms.has(spelling)),
      );
    };
    return { total: coverage.total, isChance };
  }

  /** In how many items a gram is, however it is spelt. */
  private dfOf(gram: string, df: Frequency): number {
    const spellings = [gram, ...(this.spellings.get(gram) ?? [])];
    return spellings.reduce((sum, spelling) => sum + df(hashOfTerm(spelling)), 0);
  }

  private idfOfGrams(items: number, df: Frequency): Map<string, number> {
    const idf = new Map<string, number>();
    for (const gram of this.grams.values()) {
      const count = this.dfOf(gram, df);
      if (count > 0) idf.set(gram, idfOf(items, count));
    }
    return idf;
  }

  /** The same of what its terms may be written as, none of which is one of its own. */
  otherIdf(own: ReadonlyMap<string, number>, items: number, df: Frequency): Map<string, number> {
    const idf = new Map<string, number>();
    const offer = (term: string, weight: number): void => {
      if (!own.has(term)) idf.set(term, Math.max(weight, idf.get(term) ?? 0));
    };
    for (const [gram, spellings] of this.spellings) {
      for (const spelling of spellings) offer(spelling, own.get(gram) ?? 0);
    }
    for (const rewritten of this.rewritten) {
      for (const [term, weight] of rewrittenWeights(rewritten, items, df)) offer(term, weight);
    }
    return idf;
  }
}

/** What can be taken of something until it is used up; what does not fit is left, and something smaller may. */
class Room {
  private left: number;

  constructor(left: number) {
    this.left = left;
  }

  take(count: number): boolean {
    if (count > this.left) return false;
    this.left -= count;
    return true;
  }
}

/** Together they weigh as much as what they stand for; nothing where one of them is nowhere. */
function rewrittenWeights({ own, others }: Rewritten, items: number, df: Frequency): Map<string, number> {
  const weigh = (words: readonly Word[]): Map<string, number> => {
    const grams = termsIn(words).filter(isGram);
    return weightsOf(words, new Map(grams.map((gram) => [gram, idfOf(items, df(hashOfTerm(gram)))])));
  };
  const isNowhere = (gram: string): boolean => isGram(gram) && df(hashOfTerm(gram)) === 0;
  if (termsIn(others).some(isNowhere)) return new Map();
  const weights = weigh(others);
  const scale = sumOf(weigh(own)) / sumOf(weights);
  return new Map(Array.from(weights, ([term, weight]) => [term, weight * scale]));
}

function sumOf(weights: ReadonlyMap<string, number>): number {
  return Array.from(weights.values()).reduce((sum, weight) => sum + weight, 0);
}
