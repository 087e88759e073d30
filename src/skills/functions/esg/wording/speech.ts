import { inLanguage } from '../../../../common/text/in-language.js';
import { english } from './english.js';
import { french } from './french.js';
import { spanish } from './spanish.js';
import { traditionalChinese } from './traditional-chinese.js';
import type { EsgWording } from './wording.js';

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const wordingOf = inLanguage<EsgWording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});
