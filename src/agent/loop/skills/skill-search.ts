import { fold, onlyContentWordsOf } from '@palabre/lexical';

export interface SearchedSkill {
  key: string;
  name: string;
  description: string;
}

const MAX_QUERY = 500;
const MAX_TERMS = 24;
/** Later parts of a description are details. */
const MAX_DESCRIPTION = 300;
const GRAM = 4;
/** The required share of a word's grams, because it may be inflected or mistyped. */
const LEAST_GRAMS = 0.5;
/** The required score, relative to the best. */
const LEAST_SHARE = 0.15;

/** A key is more specific than a name, and a name than a description. */
const weights = { key: 3, name: 2, description: 1 } as const;

/**
 * The skills that match a query, the best first. Ignores accents and case. Similar words count in part, and words of
 * nearly all skills hardly count. Function words and single letters of the query are ignored. In Chinese, Japanese
 * and Korean, pairs of characters are the words. Ties are sorted by key.
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
    // A word without exact match may be inflected or mistyped.
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
  /** For finding grams: a blank between words. */
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

/** The best field counts. Repetitions add nothing. */
function strengthIn(
  fields: readonly Field[],
  match: (words: ReadonlySet<string>, text: string) => boolean | number,
): number {
  return Math.max(...fields.map(({ weight, words, text }) => weight * Number(match(words, text))));
}

/** The share of a word's grams that occur in the text. 0 below the minimum. */
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

/** Scripts without blanks are searched as they are: a function word may be part of another word there. */
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

/** Splits `readPage` into two words. */
function splitCamelCase(text: string): string {
  return text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
