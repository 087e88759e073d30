import { isWholePart, isWholeWord, type Span } from './boundaries.js';
import { isInflected, stemKeysOf } from './inflection.js';
import { isTitle, type Reading, tellingWords } from './name-keys.js';
import type { Name, NameKind } from './names.js';
import type { Word } from './words.js';

/** A place where a message names a memory, in words, and how surely. An e-mail address is in no place. */
export interface Match extends Span {
  kind: NameKind;
  /** Every word of it without an ending. */
  isAsWritten: boolean;
  sureness: number;
}

const sureness: Readonly<Record<NameKind, number>> = { EMAIL: 100, FULL: 90, ALIAS: 70, LAST: 50, FIRST: 40 };

const LESS = { oneWord: 10, anyOrder: 15, inflected: 5, smallLetter: 20, sentenceStart: 5 } as const;

/** Words that may stand between those of a name: "Dupont, je crois, Marie". */
const MOST_BETWEEN = 3;

/** Nobody tells the words of a longer name in another order. */
const MOST_IN_ANY_ORDER = 8;

/** Where else a name stands tells nothing new, and a message may consist of nothing else. */
const MOST_PLACES = 50;

/** Where a message names what is called so, by whichever name. */
export const matchesOf = (reading: Reading, names: readonly Name[]): Match[] =>
  names.flatMap((name) => {
    if (name.email !== undefined) {
      return reading.emails.has(name.email) ? [matchOf('EMAIL', { start: 0, end: 0 }, 0)] : [];
    }
    const inOrder = phrasesOf(reading, name);
    const isPart = name.kind === 'LAST' || name.kind === 'FIRST';
    return inOrder.length > 0 || isPart ? inOrder : inAnyOrder(reading, name);
  });

const matchOf = (kind: NameKind, { start, end }: Span, less: number): Match => ({
  kind,
  start,
  end,
  isAsWritten: true,
  sureness: sureness[kind] - less,
});

/** Where the words of a name follow each other. */
const phrasesOf = (reading: Reading, name: Name): Match[] => {
  return placesInOrder(reading, name).flatMap(({ span, isAsWritten }) => {
    if (!standsAlone(reading.words, name, span)) return [];
    const looks = name.words.length === 1 ? oneWordLess(reading, name, span.start, isAsWritten) : 0;
    if (looks === null) return [];
    return [{ ...matchOf(name.kind, span, looks + (isAsWritten ? 0 : LESS.inflected)), isAsWritten }];
  });
};

const placesInOrder = (
  reading: Reading,
  { words: nameWords }: Name,
): { span: Span; isAsWritten: boolean }[] => {
  const [first] = nameWords;
  const found: { span: Span; isAsWritten: boolean }[] = [];
  for (const start of first ? candidatesOf(reading, first) : []) {
    if (found.length === MOST_PLACES) break;
    const forms = new Set(
      nameWords.map((nameWord, offset) => formOf(nameWord, reading.words[start + offset])),
    );
    const span = { start, end: start + nameWords.length };
    if (!forms.has(null)) found.push({ span, isAsWritten: !forms.has('inflected') });
  }
  return found;
};

const positionsOf = (reading: Reading, nameWord: Word): number[] =>
  [...candidatesOf(reading, nameWord)].filter((index) => formOf(nameWord, reading.words[index]) !== null);

/** Where what is written begins like the word. */
const candidatesOf = ({ positions }: Reading, nameWord: Word): Set<number> => {
  const stems = nameWord.isCharacter ? [nameWord.text] : stemKeysOf(nameWord.text);
  return new Set(stems.flatMap((stem) => positions.get(stem) ?? []));
};

const formOf = (nameWord: Word, word: Word | undefined): 'same' | 'inflected' | null => {
  if (word === undefined || word.isCharacter !== nameWord.isCharacter) return null;
  if (word.text === nameWord.text) return 'same';
  return isInflected(nameWord.text, word) ? 'inflected' : null;
};

/** Whether what is written without blanks is a word there, and no piece of others. */
const standsAlone = (
  words: readonly Word[],
  { words: nameWords, kind, needsTitle }: Name,
  span: Span,
): boolean => {
  if (!nameWords.every(({ isCharacter }) => isCharacter)) return true;
  if (needsTitle) return isTitle(words, span.end);
  return kind === 'FULL' || kind === 'ALIAS' ? isWholeWord(words, span) : isWholePart(words, span);
};

/** How much less sure a name of one word is by its looks; null: it is no name there. */
const oneWordLess = (
  { words, usesCapitals }: Reading,
  { kind, words: [nameWord] }: Name,
  index: number,
  isAsWritten: boolean,
): number | null => {
  const word = words[index];
  if (nameWord === undefined || word === undefined) return null;
  if (word.isCharacter) return LESS.oneWord;
  if (nameWord.text.length <= 2 && !isShortName(word, nameWord, words[index + 1])) return null;
  const isPart = kind === 'FIRST' || kind === 'LAST';
  const isSmall = nameWord.hasCapital && !word.hasCapital && usesCapitals;
  // Roses are no Rose, nor is a will Will, for people who write capitals.
  if (isSmall && (isPart || !isAsWritten)) return null;
  const atStart = isPart && word.beginsSentence ? LESS.sentenceStart : 0;
  return LESS.oneWord + atStart + (isSmall ? LESS.smallLetter : 0);
};

/** Two letters are a name only as they are written, and not where a sentence begins with them: An apple. */
const isShortName = (word: Word, nameWord: Word, next: Word | undefined): boolean =>
  word.written === nameWord.written &&
  !(word.beginsSentence && next !== undefined && !next.hasCapital && !next.isCharacter);

/** Where all words of a name are close together, its particles aside. */
const inAnyOrder = (reading: Reading, { kind, words: nameWords }: Name): Match[] => {
  const [first, ...others] = tellingWords(nameWords);
  if (first === undefined || others.length === 0 || others.length >= MOST_IN_ANY_ORDER) return [];
  if (nameWords.some(({ isCharacter }) => isCharacter)) return [];
  const width = nameWords.length + MOST_BETWEEN;
  const places = others.map((word) => new Set(positionsOf(reading, word)));
  const found: Match[] = [];
  for (const position of positionsOf(reading, first)) {
    if (found.length === MOST_PLACES) break;
    const near = places.map((taken) => firstNear(taken, position, width));
    const taken = [position, ...near.filter((place) => place !== null)];
    // A name of the same word twice needs it twice.
    if (new Set(taken).size < others.length + 1) continue;
    const span = { start: Math.min(...taken), end: Math.max(...taken) + 1 };
    if (span.end - span.start <= width) found.push(matchOf(kind, span, LESS.anyOrder));
  }
  return found;
};

const firstNear = (places: ReadonlySet<number>, position: number, width: number): number | null => {
  for (let place = position - width + 1; place < position + width; place += 1) {
    if (places.has(place)) return place;
  }
  return null;
};
