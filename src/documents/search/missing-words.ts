import { fold, onlyContentWordsOf } from '@palabre/lexical';

import { searchedText } from '../passages/passage-index.service.js';
import type { FoundPassage } from './found-passage.js';
import { compared, ComparedText, inUnspacedScript, wordsOf } from './named-words.js';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The average length of a Chinese word, in characters. */
const CHARACTERS_A_WORD = 2;

/** If less of a query is missing, the texts may use other words: see docs/decisions/search.md. */
const LEAST_SHARE = 0.5;

/** Nobody reads more. */
const MOST = 5;

/** The most words of a query that are searched for. More would block others. */
const MOST_LOOKED_FOR = 50;

/**
 * If all passages together lack at least half of what the query asks about (inflected and mistyped words count as
 * present): the first missing words, as in the query. In scripts without blanks, characters in no pair of any
 * passage. Otherwise empty.
 */
export function missingFrom(passages: readonly SearchedPassage[], query: string): string[] {
  const { missing, telling } = lackOf(passages, query);
  return countOf(missing) < LEAST_SHARE * countOf(telling) ? [] : missing.slice(0, MOST);
}

/** The first words of the query that a single passage lacks. */
export function missingFromOne(passage: SearchedPassage, query: string): string[] {
  return lackOf([passage], query, MOST).missing.slice(0, MOST);
}

type SearchedPassage = Pick<FoundPassage, 'documentName' | 'headings' | 'text'>;

/** The meaningful words of a query, and those that no passage has: all, or the first `most`. */
function lackOf(
  passages: readonly SearchedPassage[],
  query: string,
  most = Infinity,
): { missing: string[]; telling: string[] } {
  const texts = passages.map(
    (passage) => new ComparedText(`${passage.documentName}\n${searchedText(passage)}`),
  );
  const written = new Map(query.match(WORD)?.map((word) => [fold(word), word]));
  const telling = [...new Set(onlyContentWordsOf(query).match(WORD))].slice(0, MOST_LOOKED_FOR);
  const missing: string[] = [];
  for (const word of telling) {
    if (missing.length >= most) break;
    if (inUnspacedScript(word)) missing.push(...missingRuns(word, texts));
    else if (!texts.some((text) => text.hasAny(wordsOf(word)))) missing.push(written.get(word) ?? word);
  }
  return { missing, telling };
}

function countOf(words: readonly string[]): number {
  const each = words.map((word) => (inUnspacedScript(word) ? [...word].length / CHARACTERS_A_WORD : 1));
  return each.reduce((sum, count) => sum + Math.max(1, count), 0);
}

/** Runs of at least two characters that no pair of any text covers. */
function missingRuns(word: string, texts: readonly ComparedText[]): string[] {
  const characters = [...word];
  const same = [...compared(word)];
  const isCovered = characters.map(() => false);
  for (let at = 0; at + 1 < same.length; at += 1) {
    const pair = `${same[at]}${same[at + 1]}`;
    if (texts.some(({ folded }) => folded.includes(pair))) isCovered[at] = isCovered[at + 1] = true;
  }
  const marked = characters.map((character, at) => (isCovered[at] ? ' ' : character)).join('');
  return marked.split(' ').filter((run) => [...run].length > 1);
}
