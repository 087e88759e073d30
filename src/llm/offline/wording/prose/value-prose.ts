import type { JsonObject, JsonValue } from '../../../../common/json.js';
import { asText } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';
import { fieldName } from '../field-names.js';
import { phrases } from '../languages/phrases.js';

const mostLines = 12;
const longestText = 1500;
const deepest = 4;

const hidden =
  /^(?:id|uuid|_id|.*Id|.*_id|createdAt|updatedAt|created_at|updated_at|ok|success|schemaVersion)$/;
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isShown = (key: string, value: JsonValue): boolean =>
  !hidden.test(key) &&
  value !== null &&
  value !== '' &&
  !(typeof value === 'string' && identifier.test(value)) &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

/** The fields that tell a reader something. */
export const shownEntries = (object: JsonObject): [string, JsonValue][] =>
  Object.entries(object).filter(([key, value]) => isShown(key, value));

/** What tells a reader nothing once a line has its heading: codes, categories, what is said elsewhere. */
const minor = /^(?:code|key|activity|category|geography|licence|license|source|caveats|notes|dataVersion)$/i;
const headings = ['label', 'name', 'publisher', 'title', 'message', 'activity', 'key'];

/** Writes JSON values in one language. */
export class ValueProse {
  private readonly phrases;
  private readonly numbers;

  constructor(private readonly language: Language) {
    this.phrases = phrases[language];
    this.numbers = new Intl.NumberFormat(this.phrases.locale, { maximumFractionDigits: 3 });
  }

  private number(value: number, key = ''): string {
    return /^year$|Year$/.test(key) ? String(value) : this.numbers.format(value);
  }

  scalar(value: JsonValue, key: string): string {
    if (typeof value === 'number') return this.number(value, key);
    if (typeof value === 'boolean') return value ? this.phrases.yes : this.phrases.no;
    const text = String(value);
    if (/^country(?:Code)?$/i.test(key) && /^[A-Z]{2}$/.test(text)) return this.nameOf('region', text);
    if (/^language$/i.test(key) && /^[a-z]{2,3}(?:-\w+)*$/.test(text)) return this.nameOf('language', text);
    return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  }

  private nameOf(type: 'region' | 'language', code: string): string {
    try {
      return new Intl.DisplayNames(this.language, { type }).of(code) ?? code;
    } catch {
      return code; // looks like a code and is none
    }
  }

  /** «1 234,5 kWh», «120 000 000 FCFA»; null when the object is no amount. */
  private amount(object: JsonObject): string | null {
    const entries = shownEntries(object);
    const value = entries.find(([key]) => /^(?:amount|value|quantity)$/.test(key))?.[1];
    const unit = asText(object['currency']) || asText(object['unit']);
    if (typeof value !== 'number' || unit === '' || entries.length > 2) return null;
    return this.withUnit(value, unit);
  }

  private withUnit(value: number, unit: string): string {
    if (!/^[A-Z]{3}$/.test(unit)) return `${this.number(value)} ${this.phrases.units[unit] ?? unit}`.trim();
    return new Intl.NumberFormat(this.phrases.locale, {
      style: 'currency',
      currency: unit,
      maximumFractionDigits: 2,
      trailingZeroDisplay: 'stripIfInteger',
    }).format(value);
  }

  /** A value on one line. */
  inline(value: JsonValue, key: string, depth = 0): string {
    if (depth > deepest) return '…';
    if (Array.isArray(value))
      return this.shortened(
        value.map((item) => this.inline(item, key, depth + 1)),
        this.phrases.separator,
      );
    if (typeof value !== 'object' || value === null) return this.scalar(value, key);
    return asText(value['text']) || this.citation(value) || this.amount(value) || this.line(value, depth);
  }

  /** Empty when the object is no source. */
  private citation(object: JsonObject): string {
    const publisher = asText(object['publisher']) || asText(object['author']);
    const title = asText(object['title']);
    if (publisher === '' || title === '') return '';
    const { year } = object;
    const known = typeof year === 'number' || typeof year === 'string' ? String(year) : '';
    return this.phrases.citation({ publisher, title, year: known, url: asText(object['url']) });
  }

  /** An object on one line: its heading, then what else it says. */
  private line(object: JsonObject, depth: number): string {
    const heading = headings.find((key) => asText(object[key]) !== '') ?? '';
    const measure = typeof object['quantity'] === 'number' && asText(object['unit']) !== '';
    const shared = measure ? '' : asText(object['unit']);
    const rest = shownEntries(object).filter(
      ([key]) =>
        key !== heading &&
        key !== 'unit' &&
        !(heading !== '' && minor.test(key)) &&
        !(measure && key === 'quantity'),
    );
    const measured = measure ? [this.withUnit(Number(object['quantity']), asText(object['unit']))] : [];
    const parts = rest.map(([key, value]) => this.pair(key, value, depth + 1, shared));
    const all = [...measured, ...parts].join(this.phrases.separator);
    if (heading === '') return all;
    return all === '' ? asText(object[heading]) : `${asText(object[heading])}${this.phrases.colon}${all}`;
  }

  /** A field with its name; `shared` is the unit that the numbers around it have in common. */
  pair(key: string, value: JsonValue, depth = 0, shared = ''): string {
    const { label, unit } = fieldName(key, this.language);
    const text = this.inline(value, key, depth);
    const named = typeof value === 'number' && !/^(?:year|scope)$/.test(key) ? unit || shared : '';
    const amount = `${text} ${named}`.trim();
    return label === '' ? amount : `${label}${this.phrases.colon}${amount}`;
  }

  private shortened(lines: readonly string[], joint: string): string {
    const kept = lines.slice(0, mostLines);
    const rest = lines.length - kept.length;
    return (rest > 0 ? [...kept, this.phrases.more(rest)] : kept).join(joint);
  }

  /** A value as a Markdown list, a line for each part. */
  list(value: JsonValue, key = ''): string {
    const lines = Array.isArray(value)
      ? value.map((item) => this.inline(item, key))
      : this.pairs(typeof value === 'object' && value !== null ? value : {});
    const told = lines.filter((line) => line !== '').map((line) => `- ${line}`);
    return this.shortened(told, '\n');
  }

  /** The fields of an object, each with its name. */
  pairs(object: JsonObject): string[] {
    const unit = asText(object['unit']);
    return shownEntries(object)
      .filter(([name]) => name !== 'unit')
      .map(([name, each]) => this.pair(name, each, 0, unit));
  }

  /** The names of fields, as a reader calls them. */
  fieldNames(keys: readonly string[]): string {
    return keys.map((key) => fieldName(key, this.language).label).join(this.phrases.separator);
  }
}
