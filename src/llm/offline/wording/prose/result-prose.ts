import type { JsonObject, JsonValue } from '../../../../common/json.js';
import { asArray, asObject, asText, strings } from '../../json-access.js';
import type { Language } from '../../reading/words/language.js';
import type { Meaning } from '../../reading/words/meaning.js';
import { meaningsOf } from '../../reading/words/meaning.js';
import { fieldName } from '../field-names.js';
import type { Phrases } from '../languages/phrase-book.js';
import { phrases } from '../languages/phrases.js';
import { shownEntries, ValueProse } from './value-prose.js';

const breakdown =
  /^(?:lines|items|breakdown|details|rows|results|entries|matches|byScope|scopes|totals?.*|.*Total)$/i;
const sources = /^(?:sources?|references?|citations?)$/i;
const refused = /^(?:refused|rejected|skipped|unresolved)$/i;
const caveats = /^(?:caveats?|notes?|warnings?|limitations?|assumptions?|disclaimers?)$/i;
const notKnown = /^(?:notKnown|not_known|unknown|missing)$/;
const stored = /^(?:stored|updated|saved|changed)$/;

const asList = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);

/** A tool's result in a reader's words, as far as it answers `asked`; empty when there is nothing to show. */
export function describeResult(value: JsonValue, language: Language, asked: readonly Meaning[] = []): string {
  const prose = new ResultProse(language);
  if (typeof value !== 'object' || value === null) return value === null ? '' : prose.value.scalar(value, '');
  const object = asObject(value);
  if (asText(object['summary']) !== '') return prose.withSummary(object);
  if (Array.isArray(value)) return prose.found(value);
  const changes = strings(shownEntries(object).find(([key]) => stored.test(key))?.[1]);
  if (changes.length > 0) return prose.changed(object, changes);
  return prose.facts(object, asked);
}

const isAsked = (key: string, asked: readonly Meaning[]): boolean => {
  const meanings = meaningsOf(key);
  return meanings.length > 0 && meanings.every((own) => asked.some((each) => each.key === own.key));
};

/** Whether any field of an object is asked for by its name, also one that is not known. */
export const hasAskedField = (object: JsonObject, asked: readonly Meaning[]): boolean =>
  Object.entries(object)
    .flatMap(([key, value]) => (notKnown.test(key) ? strings(asArray(value)) : [key]))
    .some((key) => isAsked(key, asked));

/** Whether any field of an object that is asked for by its name is known. */
export const knowsAsked = (object: JsonObject, asked: readonly Meaning[]): boolean =>
  Object.keys(object).some((key) => !notKnown.test(key) && isAsked(key, asked));

class ResultProse {
  readonly value: ValueProse;
  private readonly phrases: Phrases;

  constructor(private readonly language: Language) {
    this.phrases = phrases[language];
    this.value = new ValueProse(language);
  }

  found(value: JsonValue): string {
    const list = this.value.list(value);
    return list === '' ? '' : `${this.phrases.result}\n${list}`;
  }

  /** A result that words itself: its summary, then the lines, sources and caveats that the summary leaves out. */
  withSummary(object: JsonObject): string {
    const summary = asText(object['summary']);
    const entries = shownEntries(object);
    const part = (named: RegExp): JsonValue[] =>
      entries.filter(([key]) => named.test(key)).flatMap(([, value]) => asList(value));
    const untold = (value: JsonValue): boolean =>
      !summary.includes(
        asText(asObject(value)['text']) || asText(asObject(value)['reason']) || asText(value),
      );
    return [
      summary,
      this.section(this.phrases.details, this.figures(entries)),
      this.section(this.phrases.refused, this.value.list(part(refused).filter(untold))),
      this.section(this.phrases.sources, this.value.list(part(sources))),
      this.section(this.phrases.caveats, this.value.list(part(caveats).filter(untold))),
    ]
      .filter((text) => text !== '')
      .join('\n\n');
  }

  /** The single lines; where there are none, the totals. */
  private figures(entries: readonly [string, JsonValue][]): string {
    const figures = entries.filter(([key]) => breakdown.test(key));
    const lines = figures.filter(([, value]) => Array.isArray(value));
    if (lines.length > 0) return lines.map(([key, value]) => this.value.list(value, key)).join('\n');
    // A total in tonnes and again in kilograms is one figure.
    const once = new Map(
      figures.toReversed().map((entry) => [fieldName(entry[0], this.language).label, entry]),
    );
    return [...once.values()]
      .toReversed()
      .map(([key, value]) =>
        typeof value === 'object' ? this.value.list(value, key) : `- ${this.value.pair(key, value)}`,
      )
      .join('\n');
  }

  private section(title: string, body: string): string {
    return body === '' ? '' : `**${title}**\n${body}`;
  }

  /** What was written down, then what is still open. */
  changed(object: JsonObject, keys: readonly string[]): string {
    const whole = Object.values(object)
      .map(asObject)
      .find((each) => keys.some((key) => Object.hasOwn(each, key)));
    const written = Object.fromEntries(keys.flatMap((key) => (whole?.[key] ? [[key, whole[key]]] : [])));
    const list = whole ? this.value.list(written) : `- ${this.value.fieldNames(keys)}`;
    return [`${this.phrases.stored}\n${list}`, this.gaps(whole ?? object)]
      .filter((text) => text !== '')
      .join('\n\n');
  }

  /** The fields of an object: those asked for by name, else all, with what is not known. */
  facts(object: JsonObject, asked: readonly Meaning[]): string {
    const wanted = (key: string): boolean => isAsked(key, asked);
    const known = shownEntries(object).filter(([key]) => !notKnown.test(key));
    const told = known.filter(([key]) => wanted(key)).map(([key, value]) => this.value.pair(key, value));
    const untold = this.openFields(object).filter(wanted);
    if (told.length + untold.length === 0)
      return [this.found(Object.fromEntries(known)), this.gaps(object)]
        .filter((text) => text !== '')
        .join('\n\n');
    const missing = untold.length > 0 ? [this.phrases.factNotKnown(this.value.fieldNames(untold))] : [];
    return [...told.map((text) => `- ${text}`), ...missing].join('\n');
  }

  private openFields = (object: JsonObject): string[] =>
    Object.entries(object).flatMap(([key, value]) => (notKnown.test(key) ? strings(asArray(value)) : []));

  private gaps(object: JsonObject): string {
    const open = this.openFields(object);
    return open.length > 0 ? this.phrases.notKnown(this.value.fieldNames(open)) : '';
  }
}
