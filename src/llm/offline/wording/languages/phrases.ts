import type { Language } from '../../reading/words/language.js';
import { english } from './english.js';
import { french } from './french.js';
import { spanish } from './spanish.js';
import { traditionalChinese } from './traditional-chinese.js';
import type { Phrases } from './phrase-book.js';

export const phrases: Readonly<Record<Language, Phrases>> = {
  fr: french,
  en: english,
  es: spanish,
  'zh-Hant': traditionalChinese,
};
