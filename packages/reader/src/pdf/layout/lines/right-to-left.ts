import { isRightToLeft } from './join-text.js';
import type { Piece } from './piece.js';

const latin = /\p{Script=Latin}/u;
const digit = /\p{Nd}/u;
const bracket = /[()[\]{}]/g;
const turned: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
};

/** The digits of one number are this close, in text sizes. */
const TOUCHING = 0.15;

/** A line's pieces in reading order: from right to left, except for Latin text and numbers in pieces. */
export function fromRightToLeft(pieces: readonly Piece[]): Piece[] {
  const ordered = pieces.toSorted((one, other) => other.right - one.right);
  const read: Piece[] = [];
  let run: Piece[] = [];
  const endRun = (): void => {
    read.push(...levelled(run));
    run = [];
  };
  for (const piece of ordered) {
    if (isRightToLeft(piece.text)) {
      endRun();
      read.push(piece);
    } else run.push(piece);
  }
  endRun();
  return read;
}

/** Reverses a run without right-to-left text, which comes in order from the right. */
function levelled(run: readonly Piece[]): Piece[] {
  const isWord = ({ text }: Piece): boolean => latin.test(text) || digit.test(text);
  const first = run.findIndex(isWord);
  const last = run.findLastIndex(isWord);
  if (first === -1) return [...run];
  const words = run.slice(first, last + 1);
  const isLatin = words.some(({ text }) => latin.test(text));
  return [
    ...run.slice(0, first),
    ...(isLatin ? words.toReversed() : numbersOf(words)),
    ...run.slice(last + 1),
  ];
}

/** Numbers follow each other from right to left; the pieces of each number from left to right. */
function numbersOf(pieces: readonly Piece[]): Piece[] {
  const numbers: Piece[][] = [];
  for (const piece of pieces) {
    const next = numbers.at(-1)?.[0];
    if (next && next.left - piece.right <= TOUCHING * piece.size) numbers.at(-1)?.unshift(piece);
    else numbers.push([piece]);
  }
  return numbers.flat();
}

/**
 * Brackets are given as they are drawn, which is mirrored. A line that begins with a closing bracket is mirrored back.
 * Latin text within brackets is reversed too, so its distance to them is unknown.
 */
export function withBracketsTurned(line: string): string {
  const brackets = line.match(bracket) ?? [];
  const [first = '', last = ''] = [brackets[0], brackets.at(-1)];
  const isTurned = first !== '' && ')]}'.includes(first) && '([{'.includes(last) && brackets.length % 2 === 0;
  const shown = isTurned ? line.replaceAll(bracket, (sign) => turned[sign] ?? sign) : line;
  return shown.replaceAll(/(?<=[([{]) | (?=[)\]}])/g, '');
}
