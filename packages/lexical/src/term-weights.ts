import { isGram, type Word } from './terms.js';

/**
 * The share of a word's weight for its weaker terms: the whole word beside its grams, which also match other forms
 * and typing errors, and single characters beside their pairs.
 */
const SHARE = 0.3;

/** The average length of a Chinese word, in characters. */
const CHARACTERS_A_WORD = 2;

/**
 * Only grams are counted in texts. A word is at least as rare as its rarest gram, and rarer with more grams. They
 * overlap, so they say less than as many words.
 */
function rarityOf(idfs: readonly number[]): number {
  return Math.max(0, ...idfs) * Math.cbrt(idfs.length);
}

/**
 * Gives each word one weight, which its terms share, so that long words do not count several times. `idf` has the
 * grams that occur in a text. A term of several words has the highest weight.
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

export function sharesOf({ isSpaced, terms }: Word, idf: ReadonlyMap<string, number>): Shares {
  return isSpaced ? sharesOfWord(terms, idf) : sharesOfRow(terms, idf);
}

/** Rarer grams get larger shares. */
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

/** Word boundaries are unknown, so each pair may be a word. All pairs together weigh as much as the words that fit. */
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
