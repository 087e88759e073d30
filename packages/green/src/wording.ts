import en from '../wording/en.json' with { type: 'json' };
import es from '../wording/es.json' with { type: 'json' };
import fr from '../wording/fr.json' with { type: 'json' };
import zhHant from '../wording/zh-hant.json' with { type: 'json' };

/** Languages with texts. Others get English. */
export const languages = ['en', 'fr', 'es', 'zh-Hant'] as const;
export type Language = (typeof languages)[number];

/** One template for any number, or one for each plural form of the language. */
export type Forms = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The texts of a language: the same keys as English, with its own plural forms. */
type TextsLike<English> = English extends string
  ? string
  : English extends { one: string; other: string }
    ? Forms
    : { readonly [Key in keyof English]: TextsLike<English[Key]> };

type Texts = TextsLike<typeof en>;

/** All texts of one language, with its formats for numbers and names. */
export interface Wording extends Texts {
  language: Language;
  speech: Speech;
}

const texts: Readonly<Record<Language, Texts>> = { en, fr, es, 'zh-Hant': zhHant };

function primaryOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}

/** Values of a template's places. Null, undefined and '' are empty. */
export type Values = Readonly<Record<string, string | number | null | undefined>>;

const choices = /\[([^[\]|]*)(?:\|([^[\]]*))?\]/g;
const places = /\{(\w+)\}/g;

/**
 * Fills a template. `{name}` is a value. `[…]` is kept only if all its values are there; `[…|…]` has an alternative.
 * Throws for a missing value outside brackets.
 */
export function fill(template: string, values: Values = {}): string {
  const isGiven = (name: string): boolean => values[name] != null && values[name] !== '';
  const chosen = template.replace(choices, (_, part: string, otherwise = '') =>
    [...part.matchAll(places)].every(([, name = '']) => isGiven(name)) ? part : otherwise,
  );
  return chosen.replace(places, (_, name: string) => {
    const value = values[name];
    if (value == null) throw new Error(`Nothing was given for {${name}} in: ${template}`);
    return String(value);
  });
}

/** Numbers, dates, lists and names as a language writes them. */
export class Speech {
  readonly language: Language;
  private readonly formats = new Map<string, Intl.NumberFormat>();
  private readonly dates: Intl.DateTimeFormat;
  private readonly regions: Intl.DisplayNames;
  private readonly lists: Intl.ListFormat;
  private readonly plurals: Intl.PluralRules;

  constructor(language: Language) {
    this.language = language;
    this.dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    this.regions = new Intl.DisplayNames(language, { type: 'region' });
    this.lists = new Intl.ListFormat(language, { type: 'conjunction' });
    this.plurals = new Intl.PluralRules(language);
  }

  /** Six decimals at most. */
  number(value: number): string {
    return this.format({ maximumFractionDigits: 6 }, value);
  }

  /** Without thousands separators, as for a year. */
  plain(value: number): string {
    return this.format({ maximumFractionDigits: 6, useGrouping: false }, value);
  }

  tenths(value: number): string {
    return this.format({ maximumFractionDigits: 1 }, value);
  }

  significant(value: number, digits = 4): string {
    return this.format({ maximumSignificantDigits: digits }, value);
  }

  /** Writes a share from 0 to 1: whole from a tenth on, else to the tenth. */
  percent(share: number, digits = share >= 0.0995 ? 0 : 1): string {
    return this.format({ style: 'percent', maximumFractionDigits: digits }, share);
  }

  /** Rounds as people write results: whole from 100, two decimals from 0.1, two significant digits below. */
  rounded(value: number): string {
    const size = Math.abs(value);
    if (size >= 100) return this.format({ maximumFractionDigits: 0 }, value);
    return size >= 0.1 ? this.format({ maximumFractionDigits: 2 }, value) : this.significant(value, 2);
  }

  /** To the kilogram, below a tonne to four significant digits. */
  kilograms(kg: number): string {
    return kg >= 1000 ? this.format({ maximumFractionDigits: 0 }, kg) : this.significant(kg);
  }

  /** Kilograms below a tonne, tonnes above, unless stated. Rounded. */
  emissions(kg: number, inTonnes = Math.abs(kg) >= 1000): string {
    if (inTonnes) return `${this.rounded(kg / 1000)} tCO2e`;
    return `${Math.abs(kg) >= 10 ? this.format({ maximumFractionDigits: 0 }, kg) : this.rounded(kg)} kgCO2e`;
  }

  /** Whole units with the currency's code, because several countries share a sign. */
  money(value: number, currency: string): string {
    return this.format(
      { style: 'currency', currencyDisplay: 'code', maximumFractionDigits: 0, currency },
      value,
    );
  }

  /** The date by its UTC fields. */
  date(date: Date): string {
    return this.dates.format(date);
  }

  /** The country's name for an ISO 3166-1 alpha-2 code. Other texts stay as they are. */
  country(code: string): string {
    return /^[A-Za-z]{2}$/.test(code) ? (this.regions.of(code.toUpperCase()) ?? code) : code;
  }

  list(items: readonly string[]): string {
    return this.lists.format(items);
  }

  form(forms: Forms, count: number): string {
    return typeof forms === 'string' ? forms : (forms[this.plurals.select(count)] ?? forms.other ?? '');
  }

  /** Cached: formats are costly to make, and an answer has many numbers. */
  private format(options: Intl.NumberFormatOptions, value: number): string {
    const key = JSON.stringify(options);
    const format = this.formats.get(key) ?? new Intl.NumberFormat(this.language, options);
    this.formats.set(key, format);
    return format.format(value);
  }
}

const byLanguage = new Map<string, Wording>(
  languages.map((language) => [
    primaryOf(language),
    { ...texts[language], language, speech: new Speech(language) },
  ]),
);

/** A text in all languages, by their language subtags. */
export function inEveryLanguage(textOf: (wording: Wording) => string): Record<string, string> {
  return Object.fromEntries(Array.from(byLanguage, ([subtag, wording]) => [subtag, textOf(wording)]));
}

/** The wording for a BCP 47 tag, by its language only. English for unknown tags. */
export function wordingOf(tag: string): Wording {
  return byLanguage.get(primaryOf(tag)) ?? wordingOf('en');
}
