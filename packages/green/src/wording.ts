import en from '../wording/en.json' with { type: 'json' };
import es from '../wording/es.json' with { type: 'json' };
import fr from '../wording/fr.json' with { type: 'json' };
import zhHant from '../wording/zh-hant.json' with { type: 'json' };

/** What there are words in. English stands in for all others. */
export const languages = ['en', 'fr', 'es', 'zh-Hant'] as const;
export type Language = (typeof languages)[number];

/** One template for any number, or one for each plural form of the language. */
export type Forms = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The texts of any language: what English has, with plural forms of the language's own where English has any. */
type TextsLike<English> = English extends string
  ? string
  : English extends { one: string; other: string }
    ? Forms
    : { readonly [Key in keyof English]: TextsLike<English[Key]> };

type Texts = TextsLike<typeof en>;

/** The texts of all topics in one language, and how that language writes numbers and names. */
export interface Wording extends Texts {
  language: Language;
  speech: Speech;
}

const texts: Readonly<Record<Language, Texts>> = { en, fr, es, 'zh-Hant': zhHant };

function primaryOf(tag: string): string {
  return tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
}

/** What stands in a template's places; null, undefined and '' are nothing. */
export type Values = Readonly<Record<string, string | number | null | undefined>>;

const choices = /\[([^[\]|]*)(?:\|([^[\]]*))?\]/g;
const places = /\{(\w+)\}/g;

/**
 * Fills a template: `{name}` is a value, `[…]` stands there only where all values in it do, and `[…|…]` has what stands
 * there otherwise. Throws for a value that is missing outside of brackets.
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

  /** To the millionth. */
  number(value: number): string {
    return this.format({ maximumFractionDigits: 6 }, value);
  }

  /** Without marks between thousands: it may be a year. */
  plain(value: number): string {
    return this.format({ maximumFractionDigits: 6, useGrouping: false }, value);
  }

  tenths(value: number): string {
    return this.format({ maximumFractionDigits: 1 }, value);
  }

  significant(value: number, digits = 4): string {
    return this.format({ maximumSignificantDigits: digits }, value);
  }

  /** Of a share from 0 to 1: whole from a tenth on, else to the tenth. */
  percent(share: number, digits = share >= 0.0995 ? 0 : 1): string {
    return this.format({ style: 'percent', maximumFractionDigits: digits }, share);
  }

  /**
   * As people write a result: whole from a hundred on, two decimals below, and two figures of what is less than that
   * shows.
   */
  rounded(value: number): string {
    const size = Math.abs(value);
    if (size >= 100) return this.format({ maximumFractionDigits: 0 }, value);
    return size >= 0.1 ? this.format({ maximumFractionDigits: 2 }, value) : this.significant(value, 2);
  }

  /** To the kilogram, or to four figures where that is finer. */
  kilograms(kg: number): string {
    return kg >= 1000 ? this.format({ maximumFractionDigits: 0 }, kg) : this.significant(kg);
  }

  /** Kilograms below a tonne, tonnes from there on, unless it is said which; rounded. */
  emissions(kg: number, inTonnes = Math.abs(kg) >= 1000): string {
    if (inTonnes) return `${this.rounded(kg / 1000)} tCO2e`;
    return `${Math.abs(kg) >= 10 ? this.format({ maximumFractionDigits: 0 }, kg) : this.rounded(kg)} kgCO2e`;
  }

  /** Whole units with the code of the currency: a sign may be several countries'. */
  money(value: number, currency: string): string {
    return this.format(
      { style: 'currency', currencyDisplay: 'code', maximumFractionDigits: 0, currency },
      value,
    );
  }

  /** What the Date says in UTC. */
  date(date: Date): string {
    return this.dates.format(date);
  }

  /** Of an ISO 3166-1 alpha-2 code; what is none stays as it is. */
  country(code: string): string {
    return /^[A-Za-z]{2}$/.test(code) ? (this.regions.of(code.toUpperCase()) ?? code) : code;
  }

  list(items: readonly string[]): string {
    return this.lists.format(items);
  }

  form(forms: Forms, count: number): string {
    return typeof forms === 'string' ? forms : (forms[this.plurals.select(count)] ?? forms.other ?? '');
  }

  /** A format is costly to make, and an answer has many numbers. */
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

/** The wording of a BCP 47 tag, by its language alone; English for one that is not there or not a language. */
export function wordingOf(tag: string): Wording {
  return byLanguage.get(primaryOf(tag)) ?? wordingOf('en');
}
