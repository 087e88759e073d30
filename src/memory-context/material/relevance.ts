import { DAY_MS } from '../../common/clock.js';
import type { MemoryKind } from '../../memory/memory.entity.js';
import type { SearchHit, SearchOutcome } from '../../search/search.js';

/** An old memory counts at least so much of a new one. */
const OLD = 0.8;
const HALF_LIFE_DAYS = 180;

/** People and projects that are not named are less often what is asked for. */
const ofKind: Record<MemoryKind, number> = { FACT: 1, PREFERENCE: 1, PROJECT: 0.95, CONTACT: 0.9 };

/** Below this, texts are about different things; at the upper bound, they say the same. Of common embedding models. */
const FAR = 0.2;
const NEAR = 0.8;

export interface Aged {
  kind: MemoryKind;
  validFrom: Date;
}

/** Of one word in a message of many, this much at least is to be shared: the ends of words are alike by chance. */
const LEAST_OF_A_WORD = 0.35;

/** What lexical scores are to be compared with. */
export interface LexicalRange {
  /** What is below it is like the message by chance. */
  least: number;
  best: number;
}

/** `words`: what was searched for. */
export const lexicalRangeOf = ({ hits, weights }: SearchOutcome, words: string): LexicalRange => {
  let total = 0;
  for (const weight of weights.idf.values()) total += weight;
  const best = hits.reduce((most, { lexicalScore }) => Math.max(most, lexicalScore), 0);
  return { least: (LEAST_OF_A_WORD * total) / wordCountOf(words), best };
};

/** How much a memory that was found bears on the message, 0 to 1: by words or by meaning, whichever finds more. */
export const relevanceOf = (hit: SearchHit, range: LexicalRange, memory: Aged, now: Date): number =>
  closenessOf(hit, range) * recencyOf(memory.validFrom, now) * ofKind[memory.kind];

/** Of what is written without blanks, two characters are taken for a word. */
const wordCountOf = (words: string): number =>
  Math.max(1, words.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]{1,2}|[\p{L}\p{N}]+/gu)?.length ?? 1);

const closenessOf = ({ lexicalScore, similarity }: SearchHit, { least, best }: LexicalRange): number => {
  const byWords = lexicalScore > 0 && lexicalScore >= least ? lexicalScore / best : 0;
  const byMeaning = similarity === null ? 0 : (similarity - FAR) / (NEAR - FAR);
  return Math.min(1, Math.max(0, byWords, byMeaning));
};

/** By whole days, so that it stays the same for a day. */
const recencyOf = (validFrom: Date, now: Date): number => {
  const days = Math.max(0, Math.floor((now.getTime() - validFrom.getTime()) / DAY_MS));
  return OLD + (1 - OLD) * 2 ** (-days / HALF_LIFE_DAYS);
};
