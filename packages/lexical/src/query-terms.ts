import { idfOf } from './bm25.js';
import { rewritingsOf } from './figures.js';
import { otherSpellingsOf } from './han-spellings.js';
import { hashOfTerm } from './term-hash.js';
import { termsOf, WORD_MARK } from './terms.js';

const MAX_QUERY_CHARACTERS = 20_000;

/** Each is looked up. Longer queries are known well enough by a part of their terms. */
const MAX_GRAMS = 256;

/** Looked up besides, of what the query may be in other spellings. */
const MAX_OTHER_GRAMS = 256;

/** In how many items a gram is, by its hash. */
type Frequency = (gram: number) => number;

/** Terms of the query, and those that a text has instead which writes the same otherwise: all of them, or it does not. */
interface Rewritten {
  own: readonly string[];
  others: readonly string[];
}

function isGram(term: string): boolean {
  return !term.startsWith(WORD_MARK);
}

/** What a query asks for: grams, which are in lists, and whole words, which are not. */
export class QueryTerms {
  /** By their hashes. */
  readonly grams: ReadonlyMap<number, string>;
  private readonly words: readonly string[];
  /** Of its own grams, as other texts may have them. */
  private readonly spellings: ReadonlyMap<string, readonly string[]>;
  private readonly rewritten: readonly Rewritten[];

  private constructor(
    grams: ReadonlyMap<number, string>,
    words: readonly string[],
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
    const grams: [number, string][] = [];
    const words: string[] = [];
    for (const term of termsOf(text).keys()) {
      if (isGram(term)) grams.push([hashOfTerm(term), term]);
      else words.push(term);
    }
    // By their hashes they are chosen as by lot, from all over the query, and always the same.
    if (grams.length > MAX_GRAMS) grams.sort(([one], [other]) => one - other);
    const own = new Map(grams.slice(0, MAX_GRAMS));
    const room = new Room(MAX_OTHER_GRAMS);
    const rewritten = rewritingsOf(text)
      .map((each) => ({ own: [...termsOf(each.own).keys()], others: [...termsOf(each.other).keys()] }))
      .filter(({ others }) => room.take(others.filter(isGram).length));
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
    const others = [...this.spellings.values(), ...this.rewritten.map((each) => each.others)].flat();
    return [...new Set([...this.grams.values(), ...this.words, ...others])];
  }

  /** What lists are read of, by hash, each once. */
  get listed(): number[] {
    return [...new Set(this.terms.filter(isGram).map(hashOfTerm))];
  }

  get isEmpty(): boolean {
    return this.grams.size === 0;
  }

  /**
   * The weight of each of its own terms, of which `df` says by the hash in how many of `items` it is. However it is
   * spelt, a term is one.
   */
  idf(items: number, df: Frequency): Map<string, number> {
    const idf = new Map<string, number>();
    for (const [hash, gram] of this.grams) {
      const others = (this.spellings.get(gram) ?? []).map((spelling) => df(hashOfTerm(spelling)));
      idf.set(
        gram,
        idfOf(
          items,
          others.reduce((sum, count) => sum + count, df(hash)),
        ),
      );
    }
    return withWords(idf, this.words);
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
      for (const [term, weight] of weightsOf(rewritten, own, items, df)) offer(term, weight);
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

/** Together they tell as much as what they stand for, the rarest of them most; empty where one of them is nowhere. */
function weightsOf(
  { own, others }: Rewritten,
  ownIdf: ReadonlyMap<string, number>,
  items: number,
  df: Frequency,
): Map<string, number> {
  const grams = new Map(others.filter(isGram).map((gram) => [gram, df(hashOfTerm(gram))]));
  if ([...grams.values()].includes(0)) return new Map();
  const idf = new Map(Array.from(grams, ([gram, count]) => [gram, idfOf(items, count)]));
  withWords(
    idf,
    others.filter((term) => !isGram(term)),
  );
  const told = own.reduce((sum, term) => sum + (ownIdf.get(term) ?? 0), 0);
  const all = Array.from(idf.values()).reduce((sum, weight) => sum + weight, 0);
  return new Map(Array.from(idf, ([term, weight]) => [term, (weight * told) / all]));
}

/** Nobody counts in how many items a word is. It is at least as rare as the rarest of its grams. */
function withWords(idf: Map<string, number>, words: readonly string[]): Map<string, number> {
  for (const word of words) {
    const weight = rarestOf(word, idf);
    if (weight > 0) idf.set(word, weight);
  }
  return idf;
}

function rarestOf(word: string, idf: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const gram of termsOf(word).keys()) most = Math.max(most, idf.get(gram) ?? 0);
  return most;
}
