import type { Exchange } from '../conversation.js';
import { continues } from '../follow-up.js';
import type { Question } from '../message.js';
import { fold, isHan } from '../reading/words/fold.js';
import { isName, type SalientWord, salientWords } from '../reading/words/salient.js';

const mostWords = 12;
const mostWordsOfRest = 2;
const longestQuery = 300;

const isPlaceOrName = (word: SalientWord): boolean => !isHan(word.text) && isName(word);

const isYear = ({ text }: SalientWord): boolean => /^(?:19|20)\d\d$/.test(text);

/** What was asked before, without the names and years that the new message has others for. */
function wordsBefore(earlier: readonly Exchange[], now: readonly SalientWord[]): SalientWord[] {
  const questions = earlier
    .map(({ question }) => ({ question, words: salientWords(question) }))
    .filter(({ words }) => words.length > 1);
  const before = questions.findLast(({ question, words }) => !isRest(question, words)) ?? questions.at(-1);
  return (before?.words ?? []).filter(
    (word) => !(isPlaceOrName(word) && now.some(isPlaceOrName)) && !(isYear(word) && now.some(isYear)),
  );
}

const ownQuestion =
  /\b(?:quel(?:le)?s?|combien|comment|qui|what|which|how|who|cual(?:es)?|cuant[oa]s?|como|quien|que)\b|什麼|多少|如何|怎麼|哪/;

/** «And in Abidjan?»: too little to be searched for by itself. */
function isRest(message: string, now: readonly SalientWord[]): boolean {
  if (!continues(message)) return false;
  const telling = now.filter((word) => !isPlaceOrName(word)).length;
  return telling === 0 || (telling <= mostWordsOfRest && !ownQuestion.test(fold(message)));
}

const order =
  /[,;.:!?]\s+(?:et |puis |and |then |y )?(?:cherche[rsz]?|recherche[rsz]?|trouve[rsz]?|search|find|look up|busca|busque)\b/;

/** «Note that we are 52, and search for …»: what is to be searched for stands behind the order to. */
function salientIn(message: string): SalientWord[] {
  const all = salientWords(message);
  const match = order.exec(fold(message));
  const behind = match ? all.filter(({ start }) => start >= match.index + match[0].length) : [];
  return behind.length > 0 ? behind : all;
}

/** What a message adds to the question that it goes on from; null: it stands by itself. */
export function restIn(message: string, earlier: readonly Exchange[]): string | null {
  const words = salientIn(message);
  const isAddition = earlier.length > 0 && words.length > 0 && isRest(message, words);
  return isAddition ? words.map(({ text }) => text).join(' ') : null;
}

/** What an answer has to speak of: the question, and what it goes on from. */
export const subjectOf = (question: Question, earlier: readonly Exchange[]): string =>
  `${question.text}\n${queryFor(question.now.text, earlier)}`;

/** What to search for: the words of the question that tell, with those of the one that it goes on from. */
export function queryFor(message: string, earlier: readonly Exchange[]): string {
  const now = salientIn(message);
  const words = isRest(message, now) ? [...wordsBefore(earlier, now), ...now] : now;
  const once = new Map(words.map(({ text }) => [fold(text), text]));
  return [...once.values()].slice(0, mostWords).join(' ').slice(0, longestQuery).trim();
}
