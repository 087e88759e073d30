import { inLanguage } from '../../../../common/text/in-language.js';
import { english } from './english.js';
import { french } from './french.js';
import type { ReportWording } from './report-wording.js';
import { spanish } from './spanish.js';
import { traditionalChinese } from './traditional-chinese.js';

/** The wording of a BCP 47 language; English for one that is not there or not a language. */
export const reportWordingOf = inLanguage<ReportWording>({
  en: english,
  fr: french,
  es: spanish,
  zh: traditionalChinese,
});

/** Numbers, dates and names as the language writes them. */
export interface ReportSpeech {
  number(value: number): string;
  /** Without marks between thousands: it may be a year. */
  plain(value: number): string;
  /** Of 100, to the tenth. */
  score(value: number): string;
  /** Of a share from 0 to 1, to the tenth of a percent. */
  percent(share: number): string;
  /** Kilograms below a tonne, tonnes from there on. */
  emissions(kilograms: number): string;
  /** The currency as its code: a sign may be several countries'. */
  money(amount: number, currency: string): string;
  /** What the Date says in UTC: see Calendar. */
  date(date: Date): string;
  country(code: string): string;
  list(items: readonly string[]): string;
}

export const reportSpeechOf = ({ language }: ReportWording): ReportSpeech => {
  const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
  const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false });
  const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const grams = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });
  return {
    number: (value) => exact.format(value),
    plain: (value) => plain.format(value),
    score: (value) => tenths.format(value),
    percent: (share) => percents.format(share),
    emissions: (kilograms) =>
      kilograms >= 1000 ? `${grams.format(kilograms / 1000)} tCO2e` : `${grams.format(kilograms)} kgCO2e`,
    money: (amount, currency) => `${exact.format(amount)} ${currency}`,
    date: (date) => dates.format(date),
    country: (code) => (/^[A-Za-z]{2}$/.test(code) ? (regions.of(code.toUpperCase()) ?? code) : code),
    list: (items) => lists.format(items),
  };
};
