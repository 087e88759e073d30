import { asSimplified, fold, joinedFormsOf } from '@palabre/lexical';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]/u;
const DIGIT = /\d/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** The length of the parts by which words are compared, as in the search. */
const GRAM = 4;
/** The share of a word's parts that must occur, with and without its beginning. The rest may be an ending or error. */
const WITH_BEGINNING = 0.3;
const WITHOUT = 0.6;

/** The words of a query in their compared form. Divided figures and codes are also joined. */
export function wordsOf(query: string): string[] {
  return [...new Set(joinedFormsOf(compared(query)).flatMap((form) => form.match(WORD) ?? []))];
}

/** Whether the word's script has no blanks between words. */
export function inUnspacedScript(word: string): boolean {
  return UNSPACED.test(word);
}

/** Whether a text equals a word of `wordsOf`, ignoring capitals, accents and traditional characters. */
export function sameLetters(text: string, word: string): boolean {
  return compared(text) === word;
}

/** A text in the form for finding words. */
export function compared(text: string): string {
  return asSimplified(fold(text));
}

/**
 * Whether a text has any of the words, inflected, in another spelling, or mistyped. A search by parts of words always
 * finds something, such as `xylophone` in `telephone`; this tells whether a hit is more than that.
 */
export function hasAny(text: string, words: readonly string[]): boolean {
  return new ComparedText(text).hasAny(words);
}

/** A text for repeated comparisons. */
export class ComparedText {
  readonly folded: string;
  private joinedForms: string[] | null = null;

  constructor(text: string) {
    this.folded = compared(text);
  }

  /** Like the function of this name. */
  hasAny(words: readonly string[]): boolean {
    const forms = words.some((word) => DIGIT.test(word)) ? this.joined : [this.folded];
    return words.some((word) =>
      inUnspacedScript(word) ? hasPair(this.folded, word) : forms.some((form) => hasWord(form, word)),
    );
  }

  private get joined(): string[] {
    return (this.joinedForms ??= joinedFormsOf(this.folded));
  }
}

/** The share of the query's words that a text needs if it has only common ones. */
const MOST = 0.4;

/** Whether a text has a good share of the words, and several. Scripts without blanks: pairs of characters. */
export function hasMost(text: string, words: readonly string[]): boolean {
  const parts = words.flatMap((word) => (inUnspacedScript(word) ? pairsOf(word) : [word]));
  const lookedIn = new ComparedText(text);
  const found = parts.filter((part) => lookedIn.hasAny([part])).length;
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
