import { idfOf } from './bm25.js';
import { Coverage } from './coverage.js';
import { rewritingsOf } from './figures.js';
import { otherSpellingsOf } from './han-spellings.js';
import { hashOfTerm } from './term-hash.js';
import { weightsOf } from './term-weights.js';
import { isGram, type Word, wordsOf } from './terms.js';

const MAX_QUERY_CHARACTERS = 20_000;

/** The most grams that are looked up. A part of its terms identifies a longer query. */
const MAX_GRAMS = 256;

/** The most grams of other spellings that are looked up. */
const MAX_OTHER_GRAMS = 256;

/** The number of items with a gram, by hash. */
type Frequency = (gram: number) => number;

/** Words of the query, and their other spelling in a text, which must occur completely. */
interface Rewritten {
  own: readonly Word[];
  others: readonly Word[];
}

function termsIn(words: readonly Word[]): string[] {
  return [...new Set(words.flatMap(({ terms }) => terms))];
}

/** How much of a query texts cover. */
interface QueryCoverage {
  /** The weight of the whole query, on the scale of scores. Unknown words count like the rarest. */
  total: number;
  /** Whether a text with these terms is a chance hit: see Coverage. */
  isChance: (terms: ReadonlySet<string>) => boolean;
}

/** What a query looks for: grams, which have lists, and whole words, which have none. */
export class QueryTerms {
  /** By hash. */
  readonly grams: ReadonlyMap<number, string>;
  private readonly words: readonly Word[];
  /** Other spellings of the query's own grams. */
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
    // Sorted by hash, the selection is spread over the query and always the same.
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

  /** All terms with their other spellings: own grams, then words, then the rest. */
  get terms(): string[] {
    const words = termsIn(this.words).filter((term) => !isGram(term));
    const spellings = [...this.spellings.values()].flat();
    const rewritten = termsIn(this.rewritten.flatMap(({ others }) => others));
    return [...new Set([...this.grams.values(), ...words, ...spellings, ...rewritten])];
  }

  /** Hashes of the lists to read, each once. */
  get listed(): number[] {
    return [...new Set(this.terms.filter(isGram).map(hashOfTerm))];
  }

  get isEmpty(): boolean {
    return this.grams.size === 0;
  }

  /**
   * The weight of each own term that some text has. `df` gives the number of the `items` items with a hash. All
   * spellings of a term count as one.
   */
  idf(items: number, df: Frequency): Map<string, number> {
    return weightsOf(this.words, this.idfOfGrams(items, df));
  }

  /** The rarity of each term alone, for scores in which longer words count more. */
  rarity(items: number, df: Frequency): Map<string, number> {
    const rarity = this.idfOfGrams(items, df);
    for (const { terms } of this.words) {
      const word = terms.find((term) => !isGram(term));
      if (word !== undefined) rarity.set(word, Math.max(0, ...terms.map((term) => rarity.get(term) ?? 0)));
    }
    return rarity;
  }

  /** `telling`: the words of the query that carry its meaning. Other spellings in a text count as matches. */
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

  /** The number of items with a gram in any spelling. */
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

  /** The weights of other spellings that are not own terms. */
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

/** A budget. What does not fit is left out; something smaller may still fit. */
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

/** Together they weigh as much as the original. Empty if one of them occurs nowhere. */
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
