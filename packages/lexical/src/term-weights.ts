import { isGram, type Word } from './terms.js';

/**
 * How much of a word's weight its less telling terms get: the whole word beside its grams, which also match other forms of
 * it and typing errors; and single characters beside their pairs.
 */
const SHARE = 0.3;

/** Characters of a word of Chinese, on average. */
const CHARACTERS_A_WORD = 2;

/**
 * Only grams are counted in texts. A word is at least as rare as the rarest of its grams, and rarer the more of them it
 * has: but as they overlap, they tell far less than as many words.
 */
function rarityOf(idfs: readonly number[]): number {
  return Math.max(0, ...idfs) * Math.cbrt(idfs.length);
}

/**
 * Gives each word one weight, which its terms share, so that a long word does not count several times what a short one
 * does. `idf` has the grams that are in some text. A term of several words has the highest of its weights.
 */
export function weightsOf(words: readonly Word[], idf: ReadonlyMap<string, number>): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of words) {
    for (const [term, weight] of sharesOf(word, idf)) {
      if (weight > (weights.get(term) ?? 0)) weights.set(term, weight);
    }
  }
  return weights;
}

type Shares = (readonly [term: string, weight: number])[];

/** What each of its terms gets of a word's weight. */
export function sharesOf({ isSpaced, terms }: Word, idf: ReadonlyMap<string, number>): Shares {
  return isSpaced ? sharesOfWord(terms, idf) : sharesOfRow(terms, idf);
}

/** Its grams share by how rare each is. */
function sharesOfWord(terms: readonly string[], idf: ReadonlyMap<string, number>): Shares {
  const known = terms.flatMap((gram) => (idf.has(gram) ? [[gram, idf.get(gram) ?? 0] as const] : []));
  const weight = rarityOf(known.map(([, each]) => each));
  const word = terms.find((term) => !isGram(term));
  if (word === undefined || known.length === 0) return known;
  const sum = known.reduce((total, [, each]) => total + each, 0) || 1;
  return [
    ...known.map(([gram, each]) => [gram, (1 - SHARE) * weight * (each / sum)] as const),
    [word, SHARE * weight],
  ];
}

/** Nobody knows where its words begin: each pair may be one. They weigh together what as many words do as it has room for. */
function sharesOfRow(terms: readonly string[], idf: ReadonlyMap<string, number>): Shares {
  const characters = terms.filter(isCharacter).length;
  if (characters < CHARACTERS_A_WORD) return terms.map((term) => [term, idf.get(term) ?? 0]);
  const words = characters / CHARACTERS_A_WORD;
  const ofPair = ((1 - SHARE) * words) / (characters - 1);
  const ofCharacter = (SHARE * words) / characters;
  return terms.map((term) => [term, (idf.get(term) ?? 0) * (isCharacter(term) ? ofCharacter : ofPair)]);
}

function isCharacter(term: string): boolean {
  return term.length === String.fromCodePoint(term.codePointAt(0) ?? 0).length;
}
