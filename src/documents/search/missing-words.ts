import { fold, onlyContentWordsOf } from '@palabre/lexical';

import { searchedText } from '../passages/passage-index.service.js';
import type { FoundPassage } from './found-passage.js';
import { compared, comparedHasAny, inUnspacedScript, wordsOf } from './named-words.js';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Characters of a word of Chinese, on average. */
const CHARACTERS_A_WORD = 2;

/** Where texts lack less of a query, they may well say it in other words: see docs/decisions/search.md. */
const LEAST_SHARE = 0.5;

/** More would not be read. */
const MOST = 5;

/**
 * Where all the passages together lack half or more of what a query asks about, inflected or with a typing error either: the
 * first words of that, as the query writes them; of a row of characters, those that are in no pair of any passage. Else none.
 */
export function missingFrom(
  passages: readonly Pick<FoundPassage, 'documentName' | 'headings' | 'text'>[],
  query: string,
): string[] {
  const texts = passages.map((passage) => compared(`${passage.documentName}\n${searchedText(passage)}`));
  const written = new Map(query.match(WORD)?.map((word) => [fold(word), word]));
  const telling = [...new Set(onlyContentWordsOf(query).match(WORD))];
  const missing = telling.flatMap((word) => {
    if (inUnspacedScript(word)) return missingRuns(word, texts);
    return texts.some((text) => comparedHasAny(text, wordsOf(word))) ? [] : [written.get(word) ?? word];
  });
  return countOf(missing) < LEAST_SHARE * countOf(telling) ? [] : missing.slice(0, MOST);
}

/** How many words these are. */
function countOf(words: readonly string[]): number {
  const each = words.map((word) => (inUnspacedScript(word) ? [...word].length / CHARACTERS_A_WORD : 1));
  return each.reduce((sum, count) => sum + Math.max(1, count), 0);
}

/** The rows of two characters and more that no pair of any text covers. */
function missingRuns(word: string, texts: readonly string[]): string[] {
  const characters = [...word];
  const same = [...compared(word)];
  const isCovered = characters.map(() => false);
  for (let at = 0; at + 1 < same.length; at += 1) {
    const pair = `${same[at]}${same[at + 1]}`;
    if (texts.some((text) => text.includes(pair))) isCovered[at] = isCovered[at + 1] = true;
  }
  const marked = characters.map((character, at) => (isCovered[at] ? ' ' : character)).join('');
  return marked.split(' ').filter((run) => [...run].length > 1);
}
