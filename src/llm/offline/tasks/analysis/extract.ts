import { fold, tidy } from '../../reading/words/fold.js';
import { sentencesOf } from '../../reading/read.js';

const pageMark = /<page(?: number="(\d{1,6})")?>\n([^]*?)\n<\/page>/gu;
const longestSentence = 300;
const mostSentences = 2_000;

/** A sentence or a line of a document that is to be analysed. */
export interface ExtractSentence {
  text: string;
  /** As long as `text`. */
  folded: string;
  page: number | null;
  isHeading: boolean;
  /** The heads of the columns, of a row of a table. */
  columns: readonly string[];
}

/** A line as plain words: the marks of Markdown are no part of what it says. */
const plain = (line: string): string =>
  line
    .replaceAll(/^\s*(?:[-*+>]|\d{1,2}[.)])\s+/gu, '')
    .replaceAll(/[*_`]{1,3}/gu, '')
    .replaceAll(/\s*\|\s*/gu, ' | ')
    .replaceAll(/^[\s|]+|[\s|]+$/gu, '')
    .trim();

const isRow = (line: string): boolean => /^\s*\|.*\|/u.test(line);
const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^[\s|:-]*-{2,}[\s|:-]*$/u.test(line);
export const cellsOf = (row: string): string[] => row.split('|').map((cell) => cell.trim());

const sentencesOn = (page: number | null, text: string): ExtractSentence[] => {
  // A line that was broken within a sentence goes on in the next.
  const lines = text.replaceAll(/(?<=[\p{Ll},;])\n(?=\p{Ll})/gu, ' ').split('\n');
  let columns: readonly string[] = [];
  return lines.flatMap((line, at) => {
    if (!isRow(line)) columns = [];
    else if (isRule(lines[at + 1])) columns = cellsOf(plain(line));
    const isHeading = /^\s*#/u.test(line) || (isRow(line) && isRule(lines[at + 1]));
    const words = plain(line.replace(/^\s*#+\s*/u, ''));
    return (isRow(line) ? [words] : sentencesOf(words))
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .map((sentence) => {
        const whole = tidy(sentence).slice(0, longestSentence);
        return { text: whole, folded: fold(whole), page, isHeading, columns };
      });
  });
};

/** The sentences of the pages that a task shows, in order. */
export const sentencesIn = (task: string): ExtractSentence[] =>
  Array.from(task.matchAll(pageMark))
    .flatMap(([, number, text = '']) => sentencesOn(number === undefined ? null : Number(number), text))
    .slice(0, mostSentences);
