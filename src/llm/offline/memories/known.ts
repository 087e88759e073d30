import { fold, sameWord, tidy, wordsOf } from '../reading/words/fold.js';
import type { NoteKind } from './notes/note.js';

/** Something that was noted earlier, as the model is told of it. */
export interface KnownMemory {
  kind: NoteKind;
  subject: string;
  content: string;
  attributes: Readonly<Record<string, string>>;
  /** YYYY-MM-DD; null: not told. */
  since: string | null;
}

/** Something that was said in an earlier conversation. */
export interface SaidBefore {
  /** YYYY-MM-DD; null: not told. */
  date: string | null;
  /** Empty: not told. */
  author: string;
  text: string;
}

/** All that a request tells of what is remembered. */
export interface Known {
  memories: readonly KnownMemory[];
  said: readonly SaidBefore[];
  /** There are more memories than were told. */
  hasMore?: boolean;
}

export const nothingKnown: Known = { memories: [], said: [] };

const shortestHanName = 2;

/** Small words of names and subjects, which name nothing by themselves. */
const joining =
  /^(?:de|du|des|la|le|les|el|los|las|and|et|y|of|the|a|au|aux|del|al|pour|for|para|d|l|ou|o|or)$/;

const namesHan = (name: string, text: string): boolean =>
  text.includes(name) ||
  // 小明, for 王小明.
  (name.length > shortestHanName && /^\p{Script=Han}+$/u.test(name) && text.includes(name.slice(-2)));

/** Whether a text names somebody or something by one of the words of the name. */
export function namesOne(name: string, text: string): boolean {
  if (/\p{Script=Han}/u.test(name)) return namesHan(name, text);
  const tidied = tidy(text);
  const said = wordsOf(fold(tidied)).map(({ start, end }) => tidied.slice(start, end));
  return nameWords(name).some((word) => said.some((each) => isNameWord(each, word)));
}

const nameWords = (name: string): string[] => {
  const tidied = tidy(name);
  return wordsOf(fold(tidied))
    .filter(({ text }) => text.length > 1 && !joining.test(text))
    .map(({ start, end }) => tidied.slice(start, end));
};

/** Names are written without capitals or accents, too; but «marié» is no Marie. */
const isNameWord = (said: string, word: string): boolean =>
  fold(said) === fold(word) &&
  (said.toLowerCase() === word.toLowerCase() || said.toLowerCase() === fold(said) || /^\p{Lu}/u.test(said));

/** Whether two names may be one person's: all words of the one are in the other. */
export function isOneName(one: string, other: string): boolean {
  if (/\p{Script=Han}/u.test(one)) return namesOne(one, other);
  const [fewer, more] = [nameWords(one), nameWords(other)].toSorted((a, b) => a.length - b.length);
  return (
    fewer !== undefined &&
    fewer.length > 0 &&
    fewer.every((word) => more?.some((each) => fold(each) === fold(word)))
  );
}

/** Whether a text speaks of a subject by all its words, in whatever form. */
export function speaksOf(subject: string, text: string): boolean {
  if (/\p{Script=Han}/u.test(subject)) return text.includes(subject);
  const said = wordsOf(fold(text)).map((word) => word.text);
  const words = wordsOf(fold(subject)).filter((word) => !joining.test(word.text));
  return words.length > 0 && words.every((word) => said.some((each) => sameWord(each, word.text)));
}
