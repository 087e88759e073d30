import { eld } from 'eld';
import { simplifiedPairs } from '@palabre/lexical';

/** Characters examined; more do not improve the result. */
const MAX_CHARACTERS = 300;
/** With fewer letters, related languages look alike. */
const MIN_LETTERS = 20;

const HAN = /\p{Script=Han}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HANGUL = /\p{Script=Hangul}/gu;
const LETTERS = /\p{L}/gu;
/** URLs and Markdown marks belong to no language. */
const NO_LANGUAGE = /https?:\/\/\S+|[|#*_`>]+/g;

/** Detects the language of a text: by its script where that is enough, else by n-grams. */
export class LanguageDetector {
  private static loading: Promise<LanguageDetector> | null = null;

  private constructor(private readonly ngrams: typeof eld) {}

  /** Loading the tables takes a third of a second and some 30 MB, once per process. */
  static load(): Promise<LanguageDetector> {
    LanguageDetector.loading ??= read();
    return LanguageDetector.loading;

    async function read(): Promise<LanguageDetector> {
      // The smallest tables suffice for the length of a passage.
      if ('load' in eld) await eld.load('extrasmall');
      return new LanguageDetector(eld);
    }
  }

  /** A BCP 47 tag; null when it is unclear. */
  detect(text: string): string | null {
    const sample = text.slice(0, MAX_CHARACTERS).replace(NO_LANGUAGE, ' ');
    const letters = countOf(sample, LETTERS);
    if (letters === 0) return null;
    const [han, kana, hangul] = [HAN, KANA, HANGUL].map((script) => countOf(sample, script)) as [
      number,
      number,
      number,
    ];
    // A few Japanese or Korean words do not make a Japanese or Korean text.
    if (kana * 5 > han && kana * 3 > letters) return 'ja';
    if (hangul * 2 > letters) return 'ko';
    if (han * 3 > letters) return kana * 5 > han ? 'ja' : chineseOf(sample);
    if (letters < MIN_LETTERS) return null;
    const result = this.ngrams.detect(sample);
    return result.language !== '' && result.isReliable() ? result.language : null;
  }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const traditional = new Set(simplifiedPairs.map(([before]) => before));
const simplified = new Set(simplifiedPairs.map(([, after]) => after));

/** Traditional or simplified Chinese; `zh` when it is unclear. */
function chineseOf(text: string): 'zh' | 'zh-Hans' | 'zh-Hant' {
  let balance = 0;
  for (const character of text) {
    if (traditional.has(character)) balance += 1;
    else if (simplified.has(character)) balance -= 1;
  }
  if (balance === 0) return 'zh';
  return balance > 0 ? 'zh-Hant' : 'zh-Hans';
}
