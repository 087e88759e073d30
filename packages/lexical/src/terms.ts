import { fold } from './fold.js';

/** Only this much of a longer text is searched. */
export const MAX_TEXT_CHARACTERS = 100_000;

const GRAM = 4;

/** Marks words. Grams are never longer than one, and no folded text contains it. */
export const WORD_MARK = '=';

/** `term`: from `termsOf` or `wordsOf`. */
export function isGram(term: string): boolean {
  return !term.startsWith(WORD_MARK);
}

/** Scripts without blanks between words, and Korean, whose words take suffixes. */
const UNSPACED = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Yi',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const LETTER = /^[\p{L}\p{M}\p{N}]$/u;
const UNSPACED_LETTER = new RegExp(`^[${UNSPACED}]$`, 'u');

const NOTHING = 0;
const SPACED = 1;
const UNSPACED_KIND = 2;

function kindOf(character: string): number {
  if (!LETTER.test(character)) return NOTHING;
  return UNSPACED_LETTER.test(character) ? UNSPACED_KIND : SPACED;
}

let kinds: Uint8Array | null = null;

/** A table by UTF-16 unit, ten times as fast as the expressions. Surrogates are looked up in pairs. */
function kindTable(): Uint8Array {
  return (kinds ??= Uint8Array.from({ length: 0x1_0000 }, (_, unit) => kindOf(String.fromCharCode(unit))));
}

/** Visits a run of letters of one kind, between blanks, punctuation or other scripts. */
type VisitRun = (start: number, end: number, isSpaced: boolean, hasSurrogates: boolean) => void;

function eachRun(folded: string, visit: VisitRun): void {
  const table = kindTable();
  let start = 0;
  let kind = NOTHING;
  let hasSurrogates = false;
  for (let at = 0; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at);
    const surrogate = unit >= 0xd800 && unit <= 0xdfff;
    const character = surrogate ? String.fromCodePoint(folded.codePointAt(at) ?? 0) : '';
    const next = surrogate ? kindOf(character) : (table[unit] ?? NOTHING);
    if (next !== kind) {
      if (kind !== NOTHING) visit(start, at, kind === SPACED, hasSurrogates);
      start = at;
      hasSurrogates = false;
      kind = next;
    }
    hasSurrogates ||= surrogate;
    if (character.length === 2) at += 1;
  }
  if (kind !== NOTHING) visit(start, folded.length, kind === SPACED, hasSurrogates);
}

/** Visits a term, which is `source` from `start` to `end`. A word longer than a gram comes after its grams. */
export type VisitTerm = (source: string, start: number, end: number, isWord: boolean) => void;

/**
 * Visits every occurrence of a term in a text: grams of four letters and whole words, whole numbers, and single
 * characters and pairs in scripts without blanks.
 */
export function eachTerm(text: string, visit: VisitTerm): void {
  const folded = fold(text.slice(0, MAX_TEXT_CHARACTERS));
  eachRun(folded, (start, end, isSpaced, hasSurrogates) =>
    visitRun(folded, start, end, isSpaced, hasSurrogates, visit),
  );
}

/** Works with indexes of the whole text, because cutting out every word would double the time. */
function visitRun(
  folded: string,
  start: number,
  end: number,
  isSpaced: boolean,
  hasSurrogates: boolean,
  visit: VisitTerm,
): void {
  if (hasSurrogates) visitByCharacter(Array.from(folded.slice(start, end)), isSpaced, visit);
  else if (isSpaced) visitWord(folded, start, end, visit);
  else visitUnspaced(folded, start, end, visit);
}

function visitWord(folded: string, start: number, end: number, visit: VisitTerm): void {
  if (end - start <= GRAM || isNumber(folded, start, end)) return visit(folded, start, end, false);
  for (let at = start; at + GRAM <= end; at += 1) visit(folded, at, at + GRAM, false);
  visit(folded, start, end, true);
}

function visitUnspaced(folded: string, start: number, end: number, visit: VisitTerm): void {
  for (let at = start; at < end; at += 1) {
    visit(folded, at, at + 1, false);
    if (at + 2 <= end) visit(folded, at, at + 2, false);
  }
}

/** The same for characters of two units. */
function visitByCharacter(characters: readonly string[], isSpaced: boolean, visit: VisitTerm): void {
  const tell = (from: number, to: number, isWord: boolean): void => {
    const term = characters.slice(from, to).join('');
    visit(term, 0, term.length, isWord);
  };
  const { length } = characters;
  if (isSpaced && length <= GRAM) return tell(0, length, false);
  const sizes = isSpaced ? [GRAM] : [1, 2];
  for (let at = 0; at < length; at += 1) {
    for (const size of sizes) if (at + size <= length) tell(at, at + size, false);
  }
  if (isSpaced) tell(0, length, true);
}

function isNumber(folded: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = folded.charCodeAt(at);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

/** A word with its terms, or a row of characters in a script without blanks. */
export interface Word {
  isSpaced: boolean;
  terms: readonly string[];
}

export function wordsOf(text: string): Word[] {
  const folded = fold(text.slice(0, MAX_TEXT_CHARACTERS));
  const words: Word[] = [];
  eachRun(folded, (start, end, isSpaced, hasSurrogates) => {
    const terms: string[] = [];
    visitRun(folded, start, end, isSpaced, hasSurrogates, (source, from, to, isWord) => {
      terms.push(`${isWord ? WORD_MARK : ''}${source.slice(from, to)}`);
    });
    words.push({ isSpaced, terms });
  });
  return words;
}

export function termsOf(text: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const word of wordsOf(text)) {
    for (const term of word.terms) terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}
