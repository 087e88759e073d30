import type { JsonObject, JsonValue } from '../../common/json.js';
import { fieldName } from './field-names.js';
import { asArray, asObject, asText } from './json-access.js';
import { phrases } from './phrases.js';
import type { Language } from './reading/language.js';

const mostLines = 12;
const longestText = 1500;
const deepest = 4;

const hidden =
  /^(?:id|uuid|_id|.*Id|.*_id|createdAt|updatedAt|created_at|updated_at|ok|success|schemaVersion)$/;
const identifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const breakdown =
  /^(?:lines|items|breakdown|details|rows|results|entries|matches|byScope|scopes|totals?.*|.*Total)$/i;
const sources = /^(?:sources?|references?|citations?)$/i;
const refused = /^(?:refused|rejected|skipped|unresolved)$/i;
const caveats = /^(?:caveats?|notes?|warnings?|limitations?|assumptions?|disclaimers?)$/i;

const isShown = (key: string, value: JsonValue): boolean =>
  !hidden.test(key) &&
  value !== null &&
  value !== '' &&
  !(typeof value === 'string' && identifier.test(value)) &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

const shownEntries = (object: JsonObject): [string, JsonValue][] =>
  Object.entries(object).filter(([key, value]) => isShown(key, value));

/** What tells a reader nothing once a line has its heading: codes, categories, what is said elsewhere. */
const minor = /^(?:code|key|activity|category|geography|licence|license|source|caveats|notes|dataVersion)$/i;
const headings = ['label', 'name', 'publisher', 'title', 'text', 'message', 'activity', 'key'];

/** Writes values in one language. */
class Writer {
  private readonly phrases;
  private readonly numbers;

  constructor(private readonly language: Language) {
    this.phrases = phrases[language];
    // Spanish leaves four digits ungrouped unless told otherwise; figures in a list then line up badly.
    this.numbers = new Intl.NumberFormat(this.phrases.locale, {
      maximumFractionDigits: 3,
      useGrouping: 'always',
    });
  }

  number(value: number, key = ''): string {
    return /^year$|Year$/.test(key) ? String(value) : this.numbers.format(value);
  }

  scalar(value: JsonValue, key: string): string {
    if (typeof value === 'number') return this.number(value, key);
    if (typeof value === 'boolean') return value ? this.phrases.yes : this.phrases.no;
    const text = String(value);
    if (/^country(?:Code)?$/i.test(key) && /^[A-Z]{2}$/.test(text))
      return new Intl.DisplayNames(this.language, { type: 'region' }).of(text) ?? text;
    return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
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
    if (!/^[A-Z]{3}$/.test(unit)) return `${this.number(value)} ${unit}`.trim();
    return new Intl.NumberFormat(this.phrases.locale, {
      style: 'currency',
      currency: unit,
      maximumFractionDigits: 2,
    }).format(value);
  }

  /** A value on one line. */
  inline(value: JsonValue, key: string, depth = 0): string {
    if (depth > deepest) return '…';
    if (Array.isArray(value))
      return this.shortened(
        value.map((item) => this.inline(item, key, depth + 1)),
        ', ',
      );
    if (typeof value !== 'object' || value === null) return this.scalar(value, key);
    const amount = this.amount(value);
    if (amount !== null) return amount;
    return this.line(value, depth);
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
    const all = [...measured, ...parts].join(', ');
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
      : shownEntries(asObject(value))
          .filter(([name]) => name !== 'unit')
          .map(([name, each]) => this.pair(name, each, 0, asText(asObject(value)['unit'])));
    const told = lines.filter((line) => line !== '').map((line) => `- ${line}`);
    return this.shortened(told, '\n');
  }

  section(title: string, body: string): string {
    return body === '' ? '' : `**${title}**\n${body}`;
  }
}

const asList = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);

/** A result that words itself: its summary, then the figures, sources and caveats found in it. */
function withSummary(object: JsonObject, writer: Writer, language: Language): string {
  const own = phrases[language];
  const entries = shownEntries(object);
  const labels = new Set<string>();
  const figures = entries
    .filter(([key]) => breakdown.test(key))
    // A total in tonnes and again in kilograms is one figure.
    .filter(([key]) => labels.size !== labels.add(fieldName(key, language).label).size)
    .map(([key, value]) =>
      typeof value === 'object' ? writer.list(value, key) : `- ${writer.pair(key, value)}`,
    );
  const from = entries.filter(([key]) => sources.test(key)).flatMap(([, value]) => asList(value));
  const left = entries.filter(([key]) => refused.test(key)).flatMap(([, value]) => asList(value));
  const mind = entries.filter(([key]) => caveats.test(key)).flatMap(([, value]) => asList(value));
  return [
    asText(object['summary']),
    writer.section(own.details, figures.filter((line) => line !== '').join('\n')),
    writer.section(own.refused, writer.list(left)),
    writer.section(own.sources, writer.list(from)),
    writer.section(own.caveats, writer.list(mind)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The reason a result gives for its failure, or null. */
export function failureIn(value: JsonValue): string | null {
  const error = asObject(value)['error'];
  if (error === undefined || error === null || error === false) return null;
  return (
    asText(error) ||
    asText(asObject(error)['message']) ||
    asText(asObject(value)['message']) ||
    JSON.stringify(error)
  );
}

/** A tool's result in a reader's words; empty when there is nothing to show. */
export function describeResult(value: JsonValue, language: Language): string {
  const writer = new Writer(language);
  if (typeof value !== 'object' || value === null) return value === null ? '' : writer.scalar(value, '');
  if (asText(asObject(value)['summary']) !== '') return withSummary(asObject(value), writer, language);
  const list = writer.list(asArray(value).length > 0 ? asArray(value) : value);
  return list === '' ? '' : `${phrases[language].result}\n${list}`;
}
