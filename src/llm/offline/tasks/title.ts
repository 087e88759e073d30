import { stopWords } from '../reading/words/lexicon.js';
import { fold, tidy } from '../reading/words/fold.js';
import type { Language } from '../reading/words/language.js';
import { read } from '../reading/read.js';
import type { Span } from '../reading/spans.js';
import { salientWords } from '../reading/words/salient.js';
import { isSmallTalk } from '../small-talk.js';
import { quotedMessages } from './exchange.js';
import { taskPhrases } from './task-phrases.js';

const mostWords = 8;
const fewestWords = 3;
const mostHan = 15;
const mostRead = 500;

/** «l'empreinte», «d'électricité» */
const elision = /^(?:l|d|qu|n|s|j|m|t|c)'/i;
/** A group of digits belongs to the number before it. */
const digitGroup = /(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g;
const edges = /^[\s"'“”«»„「」『』(¿¡,.;:!?…-]+|[\s"'“”«»„」』)(,.;:!?…。！？，、；：-]+$/gu;

/** A title for a conversation, of the words that its first question is about. */
export function titleFor(exchange: string, language: Language): string {
  const first = quotedMessages(exchange).find(({ isMember }) => isMember);
  const question = tidy((first?.text ?? exchange).slice(0, mostRead)).replaceAll(
    /https?:\/\/(\S+?)(?=[/\s]|$)\S*/g,
    '$1',
  );
  if (isSmallTalk(read(question))) return taskPhrases[language].smallTalk;
  const title = /\p{Script=Han}{2}/u.test(question) ? hanTitle(question) : wordsTitle(question);
  if (title === '') return taskPhrases[language].smallTalk;
  return isLongEnough(title) ? capital(title) : taskPhrases[language].question(title);
}

const isLongEnough = (title: string): boolean =>
  title.split(/\s+/).length >= fewestWords || /\p{Script=Han}{3}/u.test(title);

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** From the first word that tells, with the small words between those that do, to the end of the clause. */
function wordsTitle(question: string): string {
  const begin = salientWords(question)[0]?.start ?? -1;
  if (begin < 0) return '';
  const words = question
    .slice(begin)
    .replaceAll(digitGroup, '\u00a0')
    .split(/[ \n\t]+/);
  const kept: string[] = [];
  for (const word of words) {
    // «¿Qué ayudas hay para …?»: the verb of the question, in its middle.
    if (word !== 'hay') kept.push(word);
    const isClause = /[.,;!?]$/.test(word) && kept.length >= fewestWords;
    if (isClause || kept.length >= mostWords) break;
  }
  while (kept.length > 1 && isSmall(kept.at(-1) ?? '')) kept.pop();
  return kept.join(' ').replaceAll(edges, '');
}

/** A word that a title cannot end with. A number without what it counts is none that it can, either. */
const isSmall = (word: string): boolean => {
  const bare = fold(tidy(word))
    .replace(elision, '')
    .replaceAll(/[^\p{L}\p{N}-]/gu, '');
  return (
    stopWords.has(bare) ||
    bare === '' ||
    /^\d+$/.test(bare) ||
    bare.split('-').every((part) => stopWords.has(part))
  );
};

/** What a Chinese question is about, without what only asks and without its amounts. */
function hanTitle(question: string): string {
  const { quantities } = read(question);
  const isAmount = ({ start, end }: Span): boolean =>
    quantities.some((quantity) => start < quantity.end && quantity.start < end);
  let title = '';
  let end = 0;
  for (const word of salientWords(question).filter((each) => !isAmount(each))) {
    const between = question.slice(end, word.start);
    // Where an amount or the end of a clause stood, the words do not go on from each other.
    const joint = title === '' ? '' : /[\p{P}\p{N}]/u.test(between) ? '、' : /\s/u.test(between) ? ' ' : '';
    const longer = `${title}${joint}${word.text}`;
    if (title !== '' && longer.length > mostHan) break;
    title = longer;
    end = word.end;
  }
  return Array.from(title).slice(0, mostHan).join('').replaceAll(edges, '');
}
