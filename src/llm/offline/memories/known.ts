import { fold, sameWord, wordsOf } from '../reading/fold.js';
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
  const said = new Set(wordsOf(fold(text)).map((word) => word.text));
  return wordsOf(fold(name)).some(
    ({ text: word }) => word.length > 1 && !joining.test(word) && said.has(word),
  );
}

/** Whether a text speaks of a subject by all its words, in whatever form. */
export function speaksOf(subject: string, text: string): boolean {
  if (/\p{Script=Han}/u.test(subject)) return text.includes(subject);
  const said = wordsOf(fold(text)).map((word) => word.text);
  const words = wordsOf(fold(subject)).filter((word) => !joining.test(word.text));
  return words.length > 0 && words.every((word) => said.some((each) => sameWord(each, word.text)));
}
