import { fold, sameWord, tidy, wordsOf } from './fold.js';
import { findCountries } from '../countries.js';
import { meaningsIn } from './meaning.js';
import { vagueConcepts } from './lexicon.js';
import { salientWords } from './salient.js';
import { asTraditional } from './traditional.js';

const han = /\p{Script=Han}+/gu;

/** The pairs of neighbouring characters of a Chinese text: it has no spaces to tell its words by. */
const hanPairs = (text: string): string[] =>
  Array.from(text.matchAll(han)).flatMap(([run]) =>
    run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );

/** A longer text is no question; every word of it is looked for in every sentence. */
const longestSubject = 2000;
const mostWords = 60;

/** What any rule of any company speaks of: a text that shares no more with a question is about something else. */
const vagueHan =
  /公司|企業|員工|同仁|人員|規定|辦法|補助|申請|費用|金額|上限|標準|時間|期限|工作|使用|資料|相關/gu;
const vagueKeys: ReadonlySet<string> = new Set([...vagueConcepts, 'employee']);

/** A text as something to be looked for in others. */
export class Subject {
  /** Concepts and countries stand for words of any language. */
  readonly keys: ReadonlySet<string>;
  /** Words that no concept stands for. Folded. */
  readonly words: readonly string[];
  readonly pairs: readonly string[];
  /** Those of them that say what in particular it is about. */
  private readonly telling: { keys: readonly string[]; pairs: readonly string[] };
  /** What a text gets that has all of it. */
  readonly most: number;

  constructor(text: string) {
    const salient = salientWords(asTraditional(text.slice(0, longestSubject))).slice(0, mostWords);
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
    const particular = kept.replace(vagueHan, (word) => ' '.repeat(word.length));
    this.telling = {
      keys: [...keysOf(particular)].filter((key) => !vagueKeys.has(key)),
      pairs: hanPairs(particular).filter((pair) => pair.length > 1),
    };
  }

  /** Whether a text speaks of anything in particular that this one is about. */
  isTouchedIn(given: string): boolean {
    const { keys, pairs } = this.telling;
    if (keys.length + pairs.length + this.words.length === 0) return true;
    const text = asTraditional(tidy(given));
    const [found, words] = [keysOf(text), foldedWords(text)];
    return (
      keys.some((key) => found.has(key)) ||
      pairs.some((pair) => text.includes(pair)) ||
      this.words.some((word) => isSaid(word, words))
    );
  }

  get namesCountry(): boolean {
    return this.countries.length > 0;
  }

  /** Whether a text names one of the countries that this one names. */
  sharesCountryWith(given: string): boolean {
    if (!this.namesCountry) return false;
    const named = keysOf(tidy(given));
    return this.countries.some((key) => named.has(key));
  }

  private get countries(): readonly string[] {
    return [...this.keys].filter((key) => key.startsWith('country:'));
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

const foldedWords = (text: string): string[] => wordsOf(fold(text)).map((word) => word.text);

const isSaid = (word: string, words: readonly string[]): boolean =>
  words.some((each) => (/\d/.test(word) ? each === word : sameWord(each, word)));

/** How much of a subject a text speaks of: 0 to 1. */
export function likeness(subject: Subject, given: string): number {
  if (subject.most === 0) return 0;
  const text = asTraditional(tidy(given));
  const keys = keysOf(text);
  const words = foldedWords(text);
  const known = [...subject.keys].filter((key) => keys.has(key)).length;
  const said = subject.words.filter((word) => isSaid(word, words)).length;
  const pairs = subject.pairs.filter((pair) => text.includes(pair)).length / 2;
  return (known + said + pairs) / subject.most;
}
