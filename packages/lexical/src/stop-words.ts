import lists from '../data/stop-words.json' with { type: 'json' };
import { fold } from './fold.js';
import { asSimplified } from './simplified-chinese.js';

/**
 * Stop words: each language's pronouns, articles, prepositions, auxiliaries and question words. Folded, so that accents
 * need not be written.
 */
const stopWords = [lists.en, lists.fr, lists.es].map((words) => new Set(words.split(' ')));

/** Chinese has no blanks between words: these are removed wherever they occur, the longest first. */
const CHINESE = lists.zh
  .split(' ')
  .flatMap((word) => [word, asSimplified(word)])
  .toSorted((a, b) => b.length - a.length);
const CHINESE_PATTERN = new RegExp(CHINESE.join('|'), 'g');

const HAN = /\p{sc=Han}/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The question without stop words; the question itself if nothing else is left. A word of one language may be a stop word
 * of another, so only those of the question's own language are removed.
 */
export function contentWordsOf(question: string): string {
  return onlyContentWordsOf(question) || question;
}

/** The question without stop words; empty if nothing else is left. */
export function onlyContentWordsOf(question: string): string {
  const words = fold(question).match(WORD) ?? [];
  const known = mostUsed(words);
  const telling = words
    .filter((word) => !known?.has(word))
    .map((word) => (HAN.test(word) ? word.replaceAll(CHINESE_PATTERN, ' ') : word));
  return telling.join(' ').trim();
}

/** The stop word list with the most matches; null: no list has any. */
function mostUsed(words: readonly string[]): ReadonlySet<string> | null {
  let most = 0;
  let best: ReadonlySet<string> | null = null;
  for (const list of stopWords) {
    const count = words.filter((word) => list.has(word)).length;
    if (count > most) [most, best] = [count, list];
  }
  return best;
}
