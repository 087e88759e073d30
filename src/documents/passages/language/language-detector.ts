import { eld } from 'eld';

import { chineseOf } from './chinese.js';

/** What is looked at: more makes it no surer. */
const MOST_CHARACTERS = 300;
/** In fewer letters, languages that are akin are told apart by chance. */
const LEAST_LETTERS = 20;

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LETTERS = /\p{L}/gu;
/** Addresses and what Markdown is marked by are in no language. */
const NO_LANGUAGE = /https?:\/\/\S+|[|#*_`>]+/g;

/** Tells the language of a text: by its writing where that is enough, else by n-grams. */
export class LanguageDetector {
  private static loading: Promise<LanguageDetector> | null = null;

  private constructor(private readonly ngrams: typeof eld) {}

  /** Its tables take a third of a second, and some 30 MB, when they are first asked for. */
  static load(): Promise<LanguageDetector> {
    LanguageDetector.loading ??= read();
    return LanguageDetector.loading;

    async function read(): Promise<LanguageDetector> {
      // The smallest: a passage is long enough for it.
      if ('load' in eld) await eld.load('extrasmall');
      return new LanguageDetector(eld);
    }
  }

  /** BCP 47; null when nothing tells. */
  detect(text: string): string | null {
    const sample = text.slice(0, MOST_CHARACTERS).replace(NO_LANGUAGE, ' ');
    const letters = countOf(sample, LETTERS);
    if (letters === 0) return null;
    const [han, kana, hangul] = [HAN, KANA, HANGUL].map((script) => countOf(sample, script)) as [
      number,
      number,
      number,
    ];
    // A Japanese or Korean word in between makes no text of either.
    if (kana * 5 > han && kana * 3 > letters) return 'ja';
    if (hangul * 2 > letters) return 'ko';
    if (han * 3 > letters) return kana * 5 > han ? 'ja' : chineseOf(sample);
    if (letters < LEAST_LETTERS) return null;
    const result = this.ngrams.detect(sample);
    return result.language !== '' && result.isReliable() ? result.language : null;
  }
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
