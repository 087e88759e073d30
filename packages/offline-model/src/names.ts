import { Phrases } from './tokens.js';

/** The locales whose names of countries, currencies and units are taken from ICU. */
const LOCALES = ['en', 'fr', 'es', 'zh-Hant', 'zh-Hans'];
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

export const countryNames = lazily(() => namesOf('region', PAIRS));

/** Currency codes by name, code and sign. */
export const currencyNames = lazily(() => {
  const codes = Intl.supportedValuesOf('currency');
  const names = namesOf('currency', codes);
  for (const currency of codes) {
    names.add(currency, currency);
    for (const locale of LOCALES) {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
      names.add(format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? '', currency);
    }
  }
  return names;
});

function namesOf(type: 'region' | 'currency', codes: readonly string[]): Phrases<string> {
  const phrases = new Phrases<string>();
  for (const locale of LOCALES) {
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames([locale], { type, style, fallback: 'none' });
      for (const code of codes) phrases.add(names.of(code) ?? '', code);
    }
  }
  return phrases;
}

/** ICU's unit identifiers by name and sign. */
export const unitNames = lazily(() => {
  const phrases = new Phrases<string>();
  for (const unit of Intl.supportedValuesOf('unit')) {
    for (const locale of LOCALES) {
      for (const unitDisplay of ['long', 'short'] as const) {
        const parts = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).formatToParts(1);
        phrases.add(parts.map(({ type, value }) => (type === 'unit' ? value : '')).join(''), unit);
      }
    }
  }
  return phrases;
});

const TIMES: ReadonlySet<string> = new Set(['year', 'month', 'week', 'day', 'hour']);

/** Whether a word is a unit of time. Single letters are excluded: they may mean something else. */
export function isTime(word: string): boolean {
  return /..|\p{Script=Han}/u.test(word) && [...unitNames().of(word)].some((unit) => TIMES.has(unit));
}
