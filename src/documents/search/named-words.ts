import { asSimplified, fold, joinedFormsOf } from '@palabre/lexical';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]/u;
const DIGIT = /\d/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** What words are compared by, as the search does. */
const GRAM = 4;
/** Of a word with its beginning, so many of its parts; of one without, so many. The rest is its ending, or an error. */
const WITH_BEGINNING = 0.3;
const WITHOUT = 0.6;

/** The words of a query that tell what it asks for; figures and codes that are divided also as one. */
export function wordsOf(query: string): string[] {
  return [...new Set(joinedFormsOf(compared(query)).flatMap((form) => form.match(WORD) ?? []))];
}

/** Whether it is of a script that has no blanks between words. */
export function inUnspacedScript(word: string): boolean {
  return UNSPACED.test(word);
}

/** Whether a text is a word of `wordsOf`, but for capitals, accents and old or new characters. */
export function sameLetters(text: string, word: string): boolean {
  return compared(text) === word;
}

/** A text as words are looked for in it. */
export function compared(text: string): string {
  return asSimplified(fold(text));
}

/**
 * Whether a text has any of the words, inflected, in another spelling, or with a typing error. A search by parts of words finds something for
 * every query, as `xylophone` in `telephone`; this tells whether what it found is more than that.
 */
export function hasAny(text: string, words: readonly string[]): boolean {
  return comparedHasAny(compared(text), words);
}

/** As `hasAny`, of a text that `compared` gave: for who looks in it again and again. */
export function comparedHasAny(folded: string, words: readonly string[]): boolean {
  const forms = words.some((word) => DIGIT.test(word)) ? joinedFormsOf(folded) : [folded];
  return words.some((word) =>
    inUnspacedScript(word) ? hasPair(folded, word) : forms.some((form) => hasWord(form, word)),
  );
}

/** How much of what a query asks for has to be in a text that has it by common words alone. */
const MOST = 0.4;

/** Whether a text has a good part of the words, and more than one; of what has no blanks, its pairs of characters count. */
export function hasMost(text: string, words: readonly string[]): boolean {
  const parts = words.flatMap((word) => (inUnspacedScript(word) ? pairsOf(word) : [word]));
  const folded = compared(text);
  const found = parts.filter((part) => comparedHasAny(folded, [part])).length;
  return found > 1 && found >= MOST * parts.length;
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function hasPair(text: string, word: string): boolean {
  const [...characters] = word;
  if (characters.length === 1) return text.includes(word);
  return characters.some((character, at) => at > 0 && text.includes(`${characters[at - 1]}${character}`));
}

function hasWord(text: string, word: string): boolean {
  if (word.length <= GRAM) return beginsWord(text, word, word.length < GRAM);
  let [parts, found] = [0, 0];
  for (let at = 0; at + GRAM <= word.length; at += 1) {
    parts += 1;
    if (text.includes(word.slice(at, at + GRAM))) found += 1;
  }
  const share = found / parts;
  return share >= WITHOUT || (share >= WITH_BEGINNING && beginsWord(text, word.slice(0, GRAM), false));
}

function beginsWord(text: string, beginning: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    const end = at + beginning.length;
    if (LETTER.test(text.charAt(at - 1))) continue;
    if (!isWhole || !LETTER.test(text.charAt(end))) return true;
  }
  return false;
}
