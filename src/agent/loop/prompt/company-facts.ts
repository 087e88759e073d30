import { LRUCache } from 'lru-cache';
import { singleLine } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { Wording } from '../../../common/wording/wording.js';

/** The facts of a company for prompts. A row of `company` has them. */
export interface CompanyFacts {
  name: string;
  sector: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  city: string | null;
  headcount: number | null;
  revenueAmount: number | null;
  /** ISO 4217. */
  revenueCurrency: string | null;
  environmentalPractices: readonly string[];
  declaredGoals: readonly string[];
  attributes: JsonObject;
}

const maxValue = 160;
const maxItems = 20;
const maxAttribute = 300;
const maxAttributes = 30;

/** The company's non-empty facts as a list, one a line. A sentence if there are none. */
export function companyText(company: CompanyFacts, labels: Wording['prompt'], locale: string): string {
  const line = (label: string, value: string | null): string[] => factLine(labels, label, value);
  const { headcount, revenueAmount } = company;
  const name = line(labels.name, company.name);
  const facts = [
    ...line(labels.sector, company.sector),
    ...line(labels.country, countryText(singleLine(company.country ?? '', maxValue), locale)),
    ...line(labels.city, company.city),
    ...line(labels.headcount, headcount === null ? null : numbers.memo(locale).format(headcount)),
    ...line(
      labels.revenue,
      revenueAmount === null ? null : moneyText(revenueAmount, company.revenueCurrency, locale),
    ),
    ...listLine(labels, labels.environmentalPractices, company.environmentalPractices),
    ...listLine(labels, labels.declaredGoals, company.declaredGoals),
    ...attributeLines(company.attributes, labels),
  ];
  if (facts.length > 0) return [...name, ...facts].join('\n');
  return name.length > 0 ? [...name, labels.nothingElseKnown].join('\n') : labels.nothingKnown;
}

function factLine(labels: Wording['prompt'], label: string, value: string | null): string[] {
  const text = singleLine(value ?? '', maxValue);
  return text === '' ? [] : [`- ${label}${labels.colon}${text}`];
}

function listLine(labels: Wording['prompt'], label: string, items: readonly string[]): string[] {
  const texts = items.map((item) => singleLine(item, maxValue)).filter((text) => text !== '');
  if (texts.length === 0) return [];
  const left = texts.length - maxItems;
  const listed = [...texts.slice(0, maxItems), ...(left > 0 ? [`… (+${left})`] : [])];
  return [`- ${label}${labels.colon}${listed.join(labels.listSeparator)}`];
}

/** Indented under their own label, so that a free attribute cannot pass for a fact of the profile. */
function attributeLines(attributes: JsonObject, labels: Wording['prompt']): string[] {
  const lines = Object.entries(attributes).flatMap(([key, value]) => {
    const label = singleLine(key, maxValue);
    const text = singleLine(attributeText(value, labels), maxAttribute);
    return label === '' || text === '' ? [] : [`  - ${label}${labels.colon}${text}`];
  });
  if (lines.length === 0) return [];
  const left = lines.length - maxAttributes;
  const heading = `- ${labels.attributes}${labels.colon.trimEnd()}`;
  return [heading, ...lines.slice(0, maxAttributes), ...(left > 0 ? [`  - … (+${left})`] : [])];
}

function attributeText(value: JsonValue, labels: Wording['prompt']): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  return value
    .map((item) => (isNested(item) ? JSON.stringify(item) : attributeText(item, labels)))
    .filter((text) => text.trim() !== '')
    .join(labels.listSeparator);
}

function isNested(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

/** `language` if Intl accepts it, else English. */
export function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Cached: Intl's formatters are slow to make, and a prompt is built before every model call. */
const days = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: (locale) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'full',
      timeZone: 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
    }),
});
const numbers = new LRUCache<string, Intl.NumberFormat>({
  max: 100,
  memoMethod: (locale) => new Intl.NumberFormat(locale, { numberingSystem: 'latn' }),
});

/** Only the day, because a prompt that changes every minute is never cached by a provider. */
export function dayText(day: Date, locale: string): string {
  return days.memo(locale).format(day);
}

/** `fr (français)`: the code first, and plainly. */
export function languageText(language: string, locale: string): string {
  const name = displayName('language', language, locale);
  return name === language ? language : `${language} (${name})`;
}

/** `Sénégal (SN)`. Other texts stay as they are. */
function countryText(country: string, locale: string): string {
  const name = displayName('region', country, locale);
  return name === country ? country : `${name} (${country})`;
}

/** An amount with its ISO 4217 code. `currency` null: unknown. */
function moneyText(amount: number, currency: string | null, locale: string): string {
  const plain = () => numbers.memo(locale).format(amount);
  if (currency === null) return plain();
  try {
    const text = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      numberingSystem: 'latn',
      trailingZeroDisplay: 'stripIfInteger',
    }).format(amount);
    // A skill that asks for the code needs more than a symbol.
    return text.includes(currency) ? text : `${text} (${currency})`;
  } catch {
    return `${plain()} ${currency}`;
  }
}

/** Cached: looking up a name takes longer than the rest of a prompt. */
const displayNames = new LRUCache<string, string>({ max: 10_000 });

/** The name of a language or country in the language of `locale`, else its code. */
export function displayName(type: 'language' | 'region', code: string, locale: string): string {
  const key = `${type} ${code} ${locale}`;
  const name = displayNames.get(key) ?? lookUp(type, code, locale);
  displayNames.set(key, name);
  return name;
}

function lookUp(type: 'language' | 'region', code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
