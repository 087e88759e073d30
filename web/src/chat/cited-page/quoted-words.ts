import { foldedWord } from '../folded-word.js';

/** A part of a text, by its first character and the one after its last. */
export interface Range {
  start: number;
  end: number;
}

/** Chinese and Japanese put no spaces between words: there each character counts. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

/** So many words in a row are in a quote by no accident. */
const ROW = 3;

/** Where a page says the words of a quote, in its order: however both break lines, and whatever marks stand between. */
export function quotedRanges(page: string, quote: string): Range[] {
  const quoted = (quote.match(WORDS) ?? []).map(foldedWord);
  const row = Math.min(ROW, quoted.length);
  const rows = new Set(rowsOf(quoted, row));
  const found = [...page.matchAll(WORDS)];
  const isQuoted = found.map(() => false);
  for (const [index, words] of rowsOf(
    found.map(([word]) => foldedWord(word)),
    row,
  ).entries()) {
    if (rows.has(words)) isQuoted.fill(true, index, index + row);
  }
  const ranges: Range[] = [];
  for (const [position, { 0: word, index }] of found.entries()) {
    if (!isQuoted[position]) continue;
    const last = ranges.at(-1);
    if (last && isQuoted[position - 1]) last.end = index + word.length;
    else ranges.push({ start: index, end: index + word.length });
  }
  return ranges;
}

function rowsOf(words: readonly string[], length: number): string[] {
  if (length === 0) return [];
  return Array.from({ length: Math.max(0, words.length - length + 1) }, (_, index) =>
    words.slice(index, index + length).join(' '),
  );
}
