import { fold, onlyContentWordsOf } from '@palabre/lexical';

export interface SearchedSkill {
  key: string;
  name: string;
  description: string;
}

const MAX_QUERY = 500;
const MAX_TERMS = 24;
/** What comes later in a description is detail. */
const MAX_DESCRIPTION = 300;
const GRAM = 4;
/** Of a word's grams, so many have to be there: it may be inflected, or mistyped. */
const LEAST_GRAMS = 0.5;
/** What is found has to come up to so much of the best. */
const LEAST_SHARE = 0.15;

/** A key says more than a name, and a name more than a description. */
const weights = { key: 3, name: 2, description: 1 } as const;

/**
 * The skills that a query is about, the best first. By words: accents and case do not matter, words that are nearly the
 * same count in part, and what nearly every skill speaks of counts for nearly nothing. The words of every question and
 * single letters, which say nothing of what is wanted, are not looked for. Of Chinese, Japanese and Korean the pairs of
 * characters are the words. Equals keep their order by key.
 */
export function searchSkills<Skill extends SearchedSkill>(
  skills: readonly Skill[],
  query: string,
  most: number,
): Skill[] {
  const terms = [...new Set(tellingTermsOf(query.slice(0, MAX_QUERY)))].slice(0, MAX_TERMS);
  const fields = skills.map(fieldsOf);
  const scores = skills.map(() => 0);
  for (const term of terms) {
    const exact = fields.map((ofSkill) => strengthIn(ofSkill, (words) => words.has(term)));
    // What nobody says in so many letters may be inflected, or mistyped.
    const found = exact.some((strength) => strength > 0)
      ? exact
      : fields.map((ofSkill) => strengthIn(ofSkill, (_, text) => likeness(text, term)));
    const holders = found.filter((strength) => strength > 0).length;
    if (holders === 0) continue;
    const rarity = Math.log((skills.length + 1) / holders);
    for (const [index, strength] of found.entries()) scores[index] = (scores[index] ?? 0) + rarity * strength;
  }
  const least = LEAST_SHARE * Math.max(0, ...scores);
  return skills
    .map((skill, index) => ({ skill, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0 && score >= least)
    .toSorted((a, b) => b.score - a.score || (a.skill.key < b.skill.key ? -1 : 1))
    .slice(0, most)
    .map(({ skill }) => skill);
}

interface Field {
  weight: number;
  words: ReadonlySet<string>;
  /** To look for grams in: a blank between words. */
  text: string;
}

function fieldsOf({ key, name, description }: SearchedSkill): Field[] {
  return [
    fieldOf(key, weights.key),
    fieldOf(name, weights.name),
    fieldOf(description.slice(0, MAX_DESCRIPTION), weights.description),
  ];
}

function fieldOf(text: string, weight: number): Field {
  const words = termsOf(text);
  return { weight, words: new Set(words), text: ` ${words.join(' ')} ` };
}

/** The best of the fields counts: a word is no more to the point for being said again. */
function strengthIn(
  fields: readonly Field[],
  match: (words: ReadonlySet<string>, text: string) => boolean | number,
): number {
  return Math.max(...fields.map(({ weight, words, text }) => weight * Number(match(words, text))));
}

/** The share of a word's grams that are somewhere in the text; 0 below the least that counts. */
function likeness(text: string, word: string): number {
  if (word.length <= GRAM || isCjk.test(word)) return 0;
  const padded = ` ${word}`;
  let found = 0;
  const all = padded.length - GRAM + 1;
  for (let start = 0; start < all; start += 1)
    if (text.includes(padded.slice(start, start + GRAM))) found += 1;
  return found / all >= LEAST_GRAMS ? (0.8 * found) / all : 0;
}

const isSingleLetter = /^[\p{L}\p{N}]$/u;
const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}])+/gu;

/** Scripts without blanks are asked for as they stand: what is a word of every question there may be half of another. */
function tellingTermsOf(query: string): string[] {
  return termsOf(isCjk.test(query) ? query : onlyContentWordsOf(query)).filter(
    (term) => !isSingleLetter.test(term),
  );
}

function termsOf(text: string): string[] {
  return Array.from(fold(splitCamelCase(text)).matchAll(runs), ([run]) =>
    isCjk.test(run) ? pairsOf(run) : [run],
  ).flat();
}

/** `readPage` is two words. */
function splitCamelCase(text: string): string {
  return text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
