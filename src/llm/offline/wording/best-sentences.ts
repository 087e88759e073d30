import { fold } from '../reading/words/fold.js';
import { likeness, type Subject } from '../reading/words/likeness.js';
import { sentencesOf } from '../reading/read.js';
import { asTraditional } from '../reading/words/traditional.js';
import { shortened } from './shortened.js';
import { rowsNamed } from './rows-named.js';

const longestText = 40_000;
const mostWeighed = 300;
const longestSentence = 320;
const shortestSentence = 12;
/** What a figure counts for where one is asked for. */
const figure = 0.2;
/** What the words of a title count for, in every sentence under it. */
const shareOfTitle = 0.4;
const enough = 0.4;
const enoughOfPairs = 0.3;
const shareOfBest = 0.5;

const asksForFigure =
  /\b(?:combien|prix|tarif|taux|montant|cout\w*|how (?:much|many)|price|rate|cost|cuant[oa]s?|precio|tarifa|cuesta\w*)\b|多少|多久|幾|價/;
const isFigure = /\d|[一二三四五六七八九十百千兩]+(?:[日天年月週元人個次點時]|小時)/;

/** Markdown as plain words: a reader of the answer should not see another page's headings and links. */
const plain = (text: string): string =>
  rowsNamed(text.slice(0, longestText))
    .replaceAll(/[ \t]{2,}/g, ' ')
    .replaceAll(/!\[[^\]]{0,300}\]\([^)]{0,2000}\)/g, '')
    .replaceAll(/\[([^\]]{0,300})\]\([^)]{0,2000}\)/g, '$1')
    .replaceAll(/^[ \t]*(?:#+|[-*+>]|\d+[.)])[ \t]+/gm, '')
    .replaceAll(/^[ \t:|-]+$/gm, '')
    .replaceAll(/[ \t]*\|[ \t]*/g, ' – ')
    .replaceAll(/^[ \t–]+|[ \t–]+$/gm, '')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '');

export interface ScoredSentence {
  text: string;
  /** 0 to a little over 1. */
  score: number;
  /** Where it stands among those of its text. */
  at: number;
}

const year = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** 民國112年, and 年度 112 in a table: counted from 1912 on. */
const yearOfRepublic = /(?<=民國\s?|年度[ :：]*)\d{2,3}(?!\d)/g;
const yearsIn = (text: string): string[] => [
  ...(text.match(year) ?? []),
  ...Array.from(text.matchAll(yearOfRepublic), ([digits]) => `${Number(digits) + 1911}`),
];
/** What a sentence about other years than the one asked for counts. */
const otherYear = 0.4;
const numbered =
  /(範疇|範圍|附件|附錄|附表|第|scopes?|articles?|art[ií]culos?|chap(?:ter|itre)s?|cap[ií]tulos?|anne(?:xe?|x)s?|anexos?)\s?([一二三四五六七八九十]+|\d+)/giu;
const numbersIn = (text: string): { label: string; number: string }[] =>
  Array.from(asTraditional(text).matchAll(numbered), ([, label = '', number = '']) => ({
    label: fold(label).slice(0, 4),
    number,
  }));
/** The same of a sentence about scope 1, where scope 3 is asked for. */
const otherNumber = 0.2;
/** Of one about scope 3: what it is called by may be all that it shares with the question. */
const sameNumber = 1.5;
/** The same of a sentence that does not name the country asked for, where another one does. */
const otherCountry = 0.4;
/** Of a question that adds to the one before it: what the two count. */
const shares = { before: 0.4, rest: 0.8 };

/**
 * The sentences of a text that speak of the subject, in the text's order; `most` at most. `rest`: what the question adds
 * to the one that it goes on from; null: it stands by itself.
 */
export function bestSentences(
  subject: Subject,
  question: string,
  { title, text }: { title: string; text: string },
  most: number,
  rest: Subject | null = null,
): ScoredSentence[] {
  const years = yearsIn(question);
  const numbers = numbersIn(question);
  const wantsFigure = asksForFigure.test(fold(question));
  if (!subject.isTouchedIn(`${title}\n${text.slice(0, longestText)}`)) return [];
  const ofTitle = shareOfTitle * likeness(subject, title);
  const sentences = sentencesOf(plain(text)).slice(0, mostWeighed);
  const isCountryNamed = sentences.some((sentence) => subject.sharesCountryWith(sentence));
  const scored = sentences
    .map((sentence, at) => {
      const isElsewhere = isCountryNamed && !subject.sharesCountryWith(sentence);
      const share =
        shareOfYears(sentence, years) * shareOfNumbers(sentence, numbers) * (isElsewhere ? otherCountry : 1);
      const own = closeness(sentence, subject, rest) * share;
      const bonus = own > 0 && wantsFigure && isFigure.test(sentence) ? figure * share : 0;
      return { text: shortened(sentence, longestSentence), score: own > 0 ? own + ofTitle + bonus : 0, at };
    })
    .filter((each) => each.score >= enoughFor(subject) && isSentence(each.text));
  return worthTelling(scored)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at);
}

/** Half of the pairs of a Chinese question join the end of one word to the next, and stand in no other text. */
const enoughFor = ({ pairs, words }: Subject): number =>
  pairs.length > 0 && words.length === 0 ? enoughOfPairs : enough;

const closeness = (sentence: string, subject: Subject, rest: Subject | null): number => {
  const whole = likeness(subject, sentence);
  return rest ? shares.before * whole + shares.rest * likeness(rest, sentence) : whole;
};

function shareOfYears(sentence: string, asked: readonly string[]): number {
  const told = yearsIn(sentence);
  const isOther = asked.length > 0 && told.length > 0 && !told.some((one) => asked.includes(one));
  return isOther ? otherYear : 1;
}

function shareOfNumbers(sentence: string, asked: readonly { label: string; number: string }[]): number {
  const told = numbersIn(sentence);
  const alike = asked.map(({ label, number }) => ({
    number,
    told: told.filter((each) => each.label === label).map((each) => each.number),
  }));
  if (alike.some((each) => each.told.length > 0 && !each.told.includes(each.number))) return otherNumber;
  return alike.some((each) => each.told.includes(each.number)) ? sameNumber : 1;
}

/** The best first, without those that fall far short of it. */
export function worthTelling<Scored extends ScoredSentence>(sentences: readonly Scored[]): Scored[] {
  const best = Math.max(0, ...sentences.map(({ score }) => score));
  return sentences
    .filter(({ score }) => score >= shareOfBest * best)
    .toSorted((a, b) => b.score - a.score || a.at - b.at);
}

/** Not a heading, and not a question that somebody else asks. */
const isSentence = (text: string): boolean =>
  !/[?？]$/.test(text) &&
  (text.length >= shortestSentence || /\p{Script=Han}{4}/u.test(text)) &&
  (/[.!。！…:;；」”»)）]$/u.test(text) || /\d/.test(text));

/** A sentence with its full stop, so that others can follow it. */
export const ended = (text: string): string =>
  /[.!?。！？…:;]$/u.test(text) ? text : `${text}${/\p{Script=Han}/u.test(text) ? '。' : '.'}`;
