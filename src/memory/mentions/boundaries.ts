import { isTitle } from './name-keys.js';
import type { Word } from './words.js';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** What is read on both sides to see where words end. */
const SURROUNDINGS = 6;

/** The hundred families that most people are of, as far as they are no common words besides. */
const SURNAMES =
  /^[李王張张劉刘陳陈楊杨趙赵黃黄周吳吴徐孫孙胡朱林郭馬马羅罗鄭郑謝谢宋唐許许鄧邓韓韩馮冯曹彭曾蕭萧蔡潘袁呂吕蘇苏盧卢蔣蒋賈贾魏薛葉叶閻阎鍾钟汪戴姜范廖邱侯沈金박이최정강조윤장임]/u;

const HANGUL = /^\p{Script=Hangul}/u;

export interface Span {
  start: number;
  end: number;
}

/** Whether a whole name that is written without blanks stands at `span` as a word. */
export const isWholeWord = (words: readonly Word[], span: Span): boolean => {
  const [first] = words.slice(span.start, span.end);
  if (first === undefined) return false;
  if (isAll(words, span, /^\p{Script=Katakana}|^ー/u))
    return !touches(words, span, /^\p{Script=Katakana}|^ー/u);
  if (isAll(words, span, /^\p{Script=Hiragana}/u)) return endsWhereWordsEnd(words, span);
  // Particles follow a Korean name without a blank, but nothing stands before it.
  if (HANGUL.test(first.text)) return !touchesBefore(words, span, HANGUL);
  return true;
};

/** The same for a part of a name: 小明 is neither in 李小明 nor in 小明天. */
export const isWholePart = (words: readonly Word[], span: Span): boolean =>
  isWholeWord(words, span) &&
  !touchesBefore(words, span, SURNAMES) &&
  (isTitle(words, span.end) || isAll(words, span, HANGUL) || endsWhereWordsEnd(words, span));

const isAll = (words: readonly Word[], { start, end }: Span, script: RegExp): boolean =>
  words.slice(start, end).every(({ text }) => script.test(text));

const touchesBefore = (words: readonly Word[], { start }: Span, script: RegExp): boolean =>
  words[start]?.isJoined === true && script.test(words[start - 1]?.text ?? '');

const touches = (words: readonly Word[], span: Span, script: RegExp): boolean => {
  const after = words[span.end];
  return touchesBefore(words, span, script) || (after?.isJoined === true && script.test(after.text));
};

/** No word of the dictionary goes over the borders of the span. */
const endsWhereWordsEnd = (words: readonly Word[], span: Span): boolean => {
  let { start, end } = span;
  while (start > 0 && span.start - start < SURROUNDINGS && words[start]?.isJoined) start -= 1;
  while (end < words.length && end - span.end < SURROUNDINGS && words[end]?.isJoined) end += 1;
  const lengthOf = (from: number, to: number): number =>
    words.slice(from, to).reduce((length, { text }) => length + text.length, 0);
  const text = words.slice(start, end).map((word) => word.text);
  const borders = new Set([
    0,
    ...Array.from(segmenter.segment(text.join('')), ({ index, segment }) => index + segment.length),
  ]);
  return borders.has(lengthOf(start, span.start)) && borders.has(lengthOf(start, span.end));
};
