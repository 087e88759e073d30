import { unansweredBy } from '../loop-notes.js';
import { fold, tidy, wordsOf } from '../reading/words/fold.js';
import type { Language } from '../reading/words/language.js';
import { read, sentencesOf } from '../reading/read.js';
import { salientWords } from '../reading/words/salient.js';
import { toSentence } from '../sentence.js';
import { isSmallTalk } from '../small-talk.js';
import { phrases } from '../wording/languages/phrases.js';
import { settings } from '../wording/settings.js';
import { shortened } from '../wording/shortened.js';
import { earlierPoints, quotedMessages, type QuotedMessage } from './exchange.js';
import { taskPhrases } from './task-phrases.js';

const mostPoints = 10;
const fewestPoints = 3;
const longestPoint = 450;
const longestQuestion = 180;
const longestStatement = 240;
const longestAnswer = 220;
const mostSentences = 40;

/** A point, and how much would be lost without it. */
interface Point {
  text: string;
  /** Stated facts, decisions and preferences 2, what was asked 1. */
  weight: number;
}

/** The points of a conversation's summary: those so far, and what the new messages add. */
export function pointsOf(task: string, language: Language): string[] {
  const before = earlierPoints(task).map((text) => ({ text, weight: 2 }));
  const messages = quotedMessages(task);
  const whole = [...before, ...newPoints(messages, language, false)];
  const points = whole.length < fewestPoints ? [...before, ...newPoints(messages, language, true)] : whole;
  return limited(merged(points)).map(({ text }) => text);
}

function newPoints(messages: readonly QuotedMessage[], language: Language, isSplit: boolean): Point[] {
  return messages.flatMap(({ isMember, text }, index) => {
    if (!isMember || isSmallTalk(read(text))) return [];
    const next = messages[index + 1];
    const answer = next && !next.isMember ? next.text : '';
    const unanswered = unansweredBy(answer);
    if (unanswered === 'WITHDRAWN') return [];
    return pointsOfMessage(text, unanswered ? '' : answer, language, isSplit);
  });
}

/** What one message states, then what it asks, with what was answered to it. */
function pointsOfMessage(message: string, answer: string, language: Language, isSplit: boolean): Point[] {
  const own = taskPhrases[language];
  const sentences = sentencesOf(message)
    .slice(0, mostSentences)
    .map((text) => ({ text, kind: toSentence(text).kind, tells: salientWords(text).length > 0 }))
    .filter(({ tells }) => tells);
  const isAsked = ({ kind }: { kind: string }): boolean => kind === 'QUESTION';
  const stated = sentences.filter((each) => !isAsked(each)).map(({ text }) => text);
  const asked = sentences.filter(isAsked).map(({ text }) => text);
  const points: Point[] = stated.map((text) => ({
    text: own.stated(bare(text, longestStatement)),
    weight: 2,
  }));
  const question = asked.length > 0 ? bare(asked.join(' '), longestQuestion) : '';
  const told = essenceOf(answer);
  if (question === '')
    return told === '' || !isSplit ? points : [...points, { text: own.answer(told), weight: 1 }];
  if (told === '') return [...points, { text: own.open(question), weight: 1 }];
  if (!isSplit) return [...points, { text: own.answered(question, told), weight: 1 }];
  return [...points, { text: own.asked(question), weight: 1 }, { text: own.answer(told), weight: 1 }];
}

const bare = (text: string, longest: number): string =>
  shortened(text, longest)
    .replaceAll(/[«»“”「」]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** An answer that says only what this model cannot do leaves the question open. */
const isRefusal = (answer: string): boolean =>
  Object.values(phrases).some(({ cannot, limits, missing, noTools }) => {
    const [, behind = ''] = cannot('|').split('|');
    return [behind, limits, missing, noTools].some((words) => words !== '' && answer.includes(words));
  });

/** The sentence of an answer that tells most: the first with a figure, else the first. */
function essenceOf(answer: string): string {
  if (isRefusal(answer)) return '';
  const sentences = sentencesOf(answer)
    .filter((sentence) => !sentence.includes(settings))
    .map((sentence) =>
      sentence
        .replaceAll(/\*\*|^[-*•>#\s]+/g, '')
        .replaceAll(/\s*\[\d+\]/g, '')
        .trim(),
    )
    .filter((sentence) => /\p{L}/u.test(sentence) && !/[:：]$/.test(sentence));
  return shortened(sentences.find((sentence) => /\d/.test(sentence)) ?? sentences[0] ?? '', longestAnswer);
}

const wordsIn = (text: string): string[] =>
  salientWords(text).flatMap((word) => wordsOf(fold(tidy(word.text))).map((each) => each.text));

const year = /^(?:19|20)\d{2}$/;

/** What a point is about, whatever figures it gives; what holds for one year is not about another. */
const subjectOf = (text: string): string =>
  [...new Set(wordsIn(text).filter((word) => year.test(word) || !/^\d+$/.test(word)))].toSorted().join(' ');

/** Each thing once: what is said anew, with other figures or the same, stands in the place of what was said before. */
function merged(points: readonly Point[]): Point[] {
  const bySubject = new Map<string, Point>();
  for (const point of points) {
    bySubject.set(subjectOf(point.text) || point.text, point);
  }
  return [...bySubject.values()];
}

/** At most ten: what was asked first is told together, then what is oldest goes. */
function limited(points: readonly Point[]): Point[] {
  const kept = [...points];
  while (kept.length > mostPoints) {
    const at = kept.findIndex(
      ({ text, weight }, index) =>
        weight === (kept[index + 1]?.weight ?? 0) &&
        text.length + (kept[index + 1]?.text.length ?? 0) < longestPoint,
    );
    const [first, second] = [kept[at], kept[at + 1]];
    if (first && second) kept.splice(at, 2, together(first, second));
    else
      kept.splice(
        Math.max(
          0,
          kept.findIndex(({ weight }) => weight === 1),
        ),
        1,
      );
  }
  return kept;
}

const together = (first: Point, second: Point): Point => {
  const joint = /\p{Script=Han}/u.test(first.text) ? '；' : ' ; ';
  return { text: `${first.text.replace(/[.。]$/u, '')}${joint}${second.text}`, weight: first.weight };
};
