/** Characters that are written without blanks between words. */
const wide =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\u30fb\\u30fc\\uff01-\\uffef';
const endsWide = new RegExp(`[${wide}]$`, 'u');
const startsWide = new RegExp(`^[${wide}]`, 'u');
const wideCharacters = new RegExp(`[${wide}]`, 'gu');
const blankBetweenWide = new RegExp(`(?<=[${wide}]) +(?=[${wide}])`, 'gu');

export const sentenceEnd = /[.!?:;。！？：；…]["'»”’）)]*$/u;
const endsHyphenated = /\p{Script=Latin}{2}[-\u00ad\u2010]$/u;
/** Longer than any compound. */
const MAX_WORD = 100;
const startsLower = /^\p{Ll}/u;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const anyLetter = /\p{L}/u;

/** Two such characters have no blank between them, whatever their distance. */
export function areWide(before: string, after: string): boolean {
  return endsWide.test(before) && startsWide.test(after);
}

export function isRightToLeft(text: string): boolean {
  if (!rightToLeft.test(text)) return false;
  let right = 0;
  let letters = 0;
  for (const character of text.slice(0, 400)) {
    if (!anyLetter.test(character)) continue;
    letters += 1;
    if (rightToLeft.test(character)) right += 1;
  }
  return right * 2 > letters;
}

/** Removes blanks between spread ideographs. If only some are apart, the blanks are intended. */
export function withoutSpread(line: string): string {
  const blanks = line.match(blankBetweenWide)?.length ?? 0;
  if (blanks === 0) return line;
  const characters = line.match(wideCharacters)?.length ?? 0;
  return blanks * 2 >= characters ? line.replaceAll(blankBetweenWide, '') : line;
}

/**
 * Joins a line with the next one. A hyphenated word becomes whole. Hyphens stay after capitals, and in compounds, in
 * lower case, that the document has elsewhere.
 */
export function joinLines(text: string, next: string, compounds: ReadonlySet<string> = new Set()): string {
  if (text === '' || next === '') return text + next;
  if (endsHyphenated.test(text) && startsLower.test(next) && !isCompound(text, next, compounds))
    return text.slice(0, -1) + next;
  if (/[\w\p{N}]-$/u.test(text) || areWide(text, next)) return text + next;
  return `${text} ${next}`;
}

/** Hyphenated compounds within a line, in lower case. */
export function compoundsIn(line: string): string[] {
  return line.match(/\p{L}+(?:[-\u2010]\p{L}+)+/gu)?.map(plain) ?? [];
}

function isCompound(text: string, next: string, compounds: ReadonlySet<string>): boolean {
  const [before = ''] = /[\p{L}\u2010-]+$/u.exec(text.slice(-MAX_WORD)) ?? [];
  const [after = ''] = /^[\p{L}\u2010-]+/u.exec(next.slice(0, MAX_WORD)) ?? [];
  return /^\p{Lu}+[\u2010-]$/u.test(before) || compounds.has(plain(before + after));
}

function plain(compound: string): string {
  return compound.toLowerCase().replaceAll('\u2010', '-');
}
