import { hasAny, inUnspacedScript, sameLetters } from '../../documents/search/named-words.js';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_CHARACTERS = 240;
/** The characters before the first found word. */
const BEFORE = 60;

/** Puts found words between « and », even inflected or mistyped ones. The text's own « and » become ". */
export function markedExcerpt(text: string, words: readonly string[]): string {
  const line = text.replaceAll(/[«»]/gu, '"').replaceAll(/\s+/gu, ' ').trim();
  const found = foundIn(line, words);
  const start = beginningNear(line, (found[0]?.start ?? 0) - BEFORE);
  const end = start + MAX_CHARACTERS < line.length ? endNear(line, start + MAX_CHARACTERS) : line.length;
  let marked = start > 0 ? '…' : '';
  let at = start;
  for (const range of found) {
    if (range.start < at || range.end > end) continue;
    marked += `${line.slice(at, range.start)}«${line.slice(range.start, range.end)}»`;
    at = range.end;
  }
  return `${marked}${line.slice(at, end)}${end < line.length ? '…' : ''}`;
}

interface Range {
  start: number;
  end: number;
}

function foundIn(line: string, words: readonly string[]): Range[] {
  return [...line.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    if (inUnspacedScript(word)) return foundInRun(word, words).map((range) => moved(range, index));
    return hasAny(word, words) ? [{ start: index, end: index + word.length }] : [];
  });
}

/** The places of the words in a row of characters without blanks. */
function foundInRun(run: string, words: readonly string[]): Range[] {
  const found: Range[] = [];
  for (let start = 0; start < run.length; start += 1) {
    const word = words
      .toSorted((a, b) => b.length - a.length)
      .find((one) => inUnspacedScript(one) && sameLetters(run.slice(start, start + one.length), one));
    if (word === undefined) continue;
    found.push({ start, end: start + word.length });
    start += word.length - 1;
  }
  return found;
}

function moved({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by };
}

function beginningNear(line: string, at: number): number {
  if (at <= 0) return 0;
  const blank = line.indexOf(' ', at);
  return blank >= 0 && blank < at + BEFORE ? blank + 1 : wholeAt(line, at);
}

function endNear(line: string, at: number): number {
  const blank = line.lastIndexOf(' ', at);
  return blank > at - BEFORE ? blank : wholeAt(line, at);
}

/** Avoids the middle of a surrogate pair. */
function wholeAt(line: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(line.charAt(at)) ? at - 1 : at;
}
