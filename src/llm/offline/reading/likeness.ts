import { fold, sameWord, tidy, wordsOf } from './fold.js';
import { findCountries } from './countries.js';
import { meaningsIn } from './meaning.js';
import { salientWords } from './salient.js';

const han = /\p{Script=Han}+/gu;

/** The pairs of neighbouring characters of a Chinese text: it has no spaces to tell its words by. */
const hanPairs = (text: string): string[] =>
  Array.from(text.matchAll(han)).flatMap(([run]) =>
    run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );

/** A longer text is no question; every word of it is looked for in every sentence. */
const longestSubject = 2000;
const mostWords = 60;

/** A text as something to be looked for in others. */
export class Subject {
  /** Concepts and countries stand for words of any language. */
  readonly keys: ReadonlySet<string>;
  /** Words that no concept stands for. Folded. */
  readonly words: readonly string[];
  readonly pairs: readonly string[];
  /** What a text gets that has all of it. */
  readonly most: number;

  constructor(text: string) {
    const salient = salientWords(text.slice(0, longestSubject)).slice(0, mostWords);
    const kept = tidy(salient.map((word) => word.text).join(' '));
    this.keys = keysOf(kept);
    const taken = spansOf(kept);
    this.words = [
      ...new Set(
        wordsOf(fold(kept)).flatMap(({ text: word, start }) =>
          /\p{Script=Han}/u.test(word) || taken.some((span) => span.start <= start && start < span.end)
            ? []
            : [word],
        ),
      ),
    ];
    this.pairs = [...new Set(salient.flatMap((word) => hanPairs(word.text)))];
    this.most = this.keys.size + this.words.length + this.pairs.length / 2;
  }
}

const spansOf = (text: string) => {
  const folded = fold(text);
  return [...findCountries(text, folded), ...meaningsIn(text, folded).filter(({ known }) => known)];
};

const keysOf = (text: string): Set<string> => {
  const folded = fold(text);
  return new Set([
    ...findCountries(text, folded).map(({ code }) => `country:${code}`),
    ...meaningsIn(text, folded).flatMap(({ key, known }) => (known ? [key] : [])),
  ]);
};

/** How much of a subject a text speaks of: 0 to 1. */
export function likeness(subject: Subject, given: string): number {
  if (subject.most === 0) return 0;
  const text = tidy(given);
  const keys = keysOf(text);
  const words = wordsOf(fold(text)).map((word) => word.text);
  const known = [...subject.keys].filter((key) => keys.has(key)).length;
  const said = subject.words.filter((word) =>
    words.some((each) => (/\d/.test(word) ? each === word : sameWord(each, word))),
  ).length;
  const pairs = subject.pairs.filter((pair) => text.includes(pair)).length / 2;
  return (known + said + pairs) / subject.most;
}
