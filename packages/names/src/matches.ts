import { isInflected, stemKeysOf } from './inflection.js';
import { isTitle, type Reading, tellingWords } from './name-keys.js';
import type { Name, NameKind, Word } from './names.js';

/** A place in a message where a memory is named, in words, and the confidence. E-mail addresses have an empty span. */
export interface Match extends Span {
  kind: NameKind;
  /** All words match exactly, without an inflected ending. */
  isAsWritten: boolean;
  sureness: number;
}

const sureness: Readonly<Record<NameKind, number>> = { EMAIL: 100, FULL: 90, ALIAS: 70, LAST: 50, FIRST: 40 };

const PENALTY = { oneWord: 10, anyOrder: 15, inflected: 5, smallLetter: 20, sentenceStart: 5 } as const;

/** How many words may stand between those of a name: "Dupont, je crois, Marie". */
const MAX_BETWEEN = 3;

/** Nobody reorders the words of a longer name. */
const MAX_IN_ANY_ORDER = 8;

/** A message may repeat a name thousands of times. More places add nothing. */
const MAX_PLACES = 50;

/** All places where a message uses one of the names. */
export function matchesOf(reading: Reading, names: readonly Name[]): Match[] {
  return names.flatMap((name) => {
    if (name.email !== undefined)
      return reading.emails.has(name.email) ? [matchOf('EMAIL', { start: 0, end: 0 }, 0)] : [];
    const places = new Map(name.words.map((word) => [word, placesOf(reading, word)]));
    const inOrder = phrasesOf(reading, name, [...places.values()]);
    const isPart = name.kind === 'LAST' || name.kind === 'FIRST';
    return inOrder.length > 0 || isPart ? inOrder : inAnyOrder(name, places);
  });
}

function matchOf(kind: NameKind, { start, end }: Span, less: number): Match {
  return {
    kind,
    start,
    end,
    isAsWritten: true,
    sureness: sureness[kind] - less,
  };
}

/** The places of a name's word in a message. True: as written. False: inflected. */
type Places = ReadonlyMap<number, boolean>;

const NOWHERE: Places = new Map();

function placesOf({ words, positions }: Reading, nameWord: Word): Places {
  const stems = nameWord.isCharacter ? [nameWord.text] : stemKeysOf(nameWord.text);
  const found = new Map<number, boolean>();
  for (const { index } of stems.flatMap((stem) => positions.get(stem) ?? [])) {
    const word = words[index];
    if (word?.isCharacter !== nameWord.isCharacter) continue;
    const isAsWritten = word.text === nameWord.text;
    if (isAsWritten || isInflected(nameWord.text, word)) found.set(index, isAsWritten);
  }
  return found;
}

/** Where the words of a name follow each other. */
function phrasesOf(reading: Reading, name: Name, places: readonly Places[]): Match[] {
  const starts = [...(places[0]?.keys() ?? [])].filter((start) =>
    places.every((each, offset) => each.has(start + offset)),
  );
  return starts.slice(0, MAX_PLACES).flatMap((start) => {
    const span = { start, end: start + places.length };
    if (!standsAlone(reading.words, name, span)) return [];
    const isAsWritten = places.every((each, offset) => each.get(start + offset));
    const penalty = places.length === 1 ? oneWordPenalty(reading, name, start, isAsWritten) : 0;
    if (penalty === null) return [];
    return [{ ...matchOf(name.kind, span, penalty + (isAsWritten ? 0 : PENALTY.inflected)), isAsWritten }];
  });
}

/** In scripts without spaces: whether the name is a word of its own there, and not part of another. */
function standsAlone(
  words: readonly Word[],
  { words: nameWords, kind, needsTitle }: Name,
  span: Span,
): boolean {
  if (!nameWords.every(({ isCharacter }) => isCharacter)) return true;
  if (needsTitle) return isTitle(words, span.end);
  return kind === 'FULL' || kind === 'ALIAS' ? isWholeWord(words, span) : isWholePart(words, span);
}

/** What to subtract from the confidence of a one-word name. Null: the word is not a name there. */
function oneWordPenalty(
  { words, usesCapitals }: Reading,
  { kind, words: [nameWord] }: Name,
  index: number,
  isAsWritten: boolean,
): number | null {
  const word = words[index];
  if (nameWord === undefined || word === undefined) return null;
  if (word.isCharacter) return PENALTY.oneWord;
  if (nameWord.text.length <= 2 && !isShortName(word, nameWord, words[index + 1])) return null;
  const isPart = kind === 'FIRST' || kind === 'LAST';
  const isSmall = nameWord.hasCapital && !word.hasCapital && usesCapitals;
  // If the writer uses capitals, "roses" is not Rose and "will" is not Will.
  if (isSmall && (isPart || !isAsWritten)) return null;
  const atStart = isPart && word.beginsSentence ? PENALTY.sentenceStart : 0;
  return PENALTY.oneWord + atStart + (isSmall ? PENALTY.smallLetter : 0);
}

/** A name of two letters must match in case, and not begin a sentence as "An apple" does. */
function isShortName(word: Word, nameWord: Word, next: Word | undefined): boolean {
  return (
    word.written === nameWord.written &&
    !(word.beginsSentence && next !== undefined && !next.hasCapital && !next.isCharacter)
  );
}

/** Places where all words of a name, without its particles, are close together. */
function inAnyOrder({ kind, words: nameWords }: Name, placesOfWords: ReadonlyMap<Word, Places>): Match[] {
  const [first, ...others] = tellingWords(nameWords).map((word) => placesOfWords.get(word) ?? NOWHERE);
  if (first === undefined || others.length === 0 || others.length >= MAX_IN_ANY_ORDER) return [];
  if (nameWords.some(({ isCharacter }) => isCharacter)) return [];
  const width = nameWords.length + MAX_BETWEEN;
  const found: Match[] = [];
  for (const position of first.keys()) {
    if (found.length === MAX_PLACES) break;
    const near = others.map((places) => firstNear(places, position, width));
    const taken = [position, ...near.filter((place) => place !== null)];
    // A name that has the same word twice needs it twice.
    if (new Set(taken).size < others.length + 1) continue;
    const span = { start: Math.min(...taken), end: Math.max(...taken) + 1 };
    if (span.end - span.start <= width) found.push(matchOf(kind, span, PENALTY.anyOrder));
  }
  return found;
}

function firstNear(places: Places, position: number, width: number): number | null {
  for (let place = position - width + 1; place < position + width; place += 1) {
    if (places.has(place)) return place;
  }
  return null;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** How many characters around a span are segmented into words. */
const SURROUNDINGS = 6;

/** The most common Chinese and Korean surnames, without those that are also common words. */
const SURNAMES =
  /^[李王張张劉刘陳陈楊杨趙赵黃黄周吳吴徐孫孙胡朱林郭馬马羅罗鄭郑謝谢宋唐許许鄧邓韓韩馮冯曹彭曾蕭萧蔡潘袁呂吕蘇苏盧卢蔣蒋賈贾魏薛葉叶閻阎鍾钟汪戴姜范廖邱侯沈金박이최정강조윤장임]/u;

const HANGUL = /^\p{Script=Hangul}/u;

interface Span {
  start: number;
  end: number;
}

/** Whether a whole name in a script without spaces stands at `span` as a word. */
function isWholeWord(words: readonly Word[], span: Span): boolean {
  const [first] = words.slice(span.start, span.end);
  if (first === undefined) return false;
  if (isAll(words, span, /^\p{Script=Katakana}|^ー/u))
    return !touches(words, span, /^\p{Script=Katakana}|^ー/u);
  if (isAll(words, span, /^\p{Script=Hiragana}/u)) return endsWhereWordsEnd(words, span);
  // Particles follow a Korean name without a space, but nothing precedes it.
  if (HANGUL.test(first.text)) return !touchesBefore(words, span, HANGUL);
  return true;
}

/** As isWholeWord, for a part of a name: 小明 is neither in 李小明 nor in 小明天. */
function isWholePart(words: readonly Word[], span: Span): boolean {
  return (
    isWholeWord(words, span) &&
    !touchesBefore(words, span, SURNAMES) &&
    (isTitle(words, span.end) || isAll(words, span, HANGUL) || endsWhereWordsEnd(words, span))
  );
}

function isAll(words: readonly Word[], { start, end }: Span, script: RegExp): boolean {
  return words.slice(start, end).every(({ text }) => script.test(text));
}

function touchesBefore(words: readonly Word[], { start }: Span, script: RegExp): boolean {
  return words[start]?.isJoined === true && script.test(words[start - 1]?.text ?? '');
}

function touches(words: readonly Word[], span: Span, script: RegExp): boolean {
  const after = words[span.end];
  return touchesBefore(words, span, script) || (after?.isJoined === true && script.test(after.text));
}

/** Whether no dictionary word crosses the ends of the span. */
function endsWhereWordsEnd(words: readonly Word[], span: Span): boolean {
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
}
