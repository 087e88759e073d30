import { countryNames, currencyNames, unitNames } from './names.js';
import type { Schema, Tool } from './protocol.js';
import { Phrases } from './tokens.js';
import { synonymsOf, thingNames, WordSet } from './vocabulary.js';

/** A parameter for quantities: an object or a list of objects with a number, its unit, and what is measured. */
export interface Measure {
  property: string;
  isList: boolean;
  number: string;
  unit: { key: string; names: Phrases<string> };
  /** Null: only the amount. */
  kind: { key: string; names: Phrases<string> } | null;
}

/** The parameters of a tool, by how a message states them. */
export interface Slots {
  /** The tool has no parameters. */
  isBare: boolean;
  measure: Measure | null;
  /** `usual`: the value if none is stated; null: there is none. */
  enums: { property: string; names: Phrases<string>; usual: string | null }[];
  country: { property: string; names: Phrases<string> } | null;
  /** Numbers of things that the description names. */
  counts: { property: string; words: WordSet }[];
  /** A year, or a rate such as "a month". */
  period: string | null;
  address: string | null;
  /** Takes the text after the request. */
  text: { property: string; takesQuestion: boolean } | null;
  /** Further texts, which get a shortened form of it. */
  labels: string[];
  /** Takes the words that nothing else took. */
  ownWords: string | null;
}

type Property = [key: string, schema: Schema];

function isText({ type, enum: values, pattern }: Schema): boolean {
  return type === 'string' && values === undefined && pattern === undefined;
}
function isNumber({ type, anyOf = [] }: Schema): boolean {
  return type === 'number' || type === 'integer' || anyOf.some((each) => each.type === 'number');
}
function isCode(letters: number, { pattern }: Schema): boolean {
  return pattern === `^[A-Z]{${letters}}$`;
}
function isAddress([key, { description = '' }]: Property): boolean {
  return /^(?:url|uri)$/i.test(key) || description.includes('http');
}

function isPeriod([key, { description = '' }]: Property): boolean {
  return key === 'period' || /["“«](?:19|20)\d\d["”»]/.test(description);
}

const ASKS = /^(?:query|question|q)$/i;
const CONTENT = /^(?:content|text|message|body)$/i;
const NAMES = /\bname\b/;

export function slotsOf({ parameters }: Tool): Slots {
  const properties = Object.entries(parameters.properties ?? {});
  const required = new Set(parameters.required);
  const texts = properties.filter((property) => isText(property[1]) && !isAddress(property));
  const country = countryIn(properties);
  return {
    isBare: properties.length === 0,
    measure: properties.map(measureOf).find((measure) => measure !== null) ?? null,
    enums: properties.flatMap(([property, schema]) =>
      schema.type === 'string' && schema.enum
        ? [{ property, names: valueNames(schema), usual: required.has(property) ? usualOf(schema) : null }]
        : [],
    ),
    country,
    counts: properties.flatMap(([property, schema]) =>
      isNumber(schema) ? [{ property, words: new WordSet(`${property} ${schema.description ?? ''}`) }] : [],
    ),
    period: texts.find(isPeriod)?.[0] ?? null,
    address: properties.find((property) => property[1].type === 'string' && isAddress(property))?.[0] ?? null,
    ...saidIn(texts, required, country !== null || properties.some((property) => isNumber(property[1]))),
  };
}

/** The parameter for the text: the largest required one, or else one that asks for words or a name. */
function saidIn(
  texts: readonly Property[],
  required: ReadonlySet<string>,
  others: boolean,
): Pick<Slots, 'text' | 'labels' | 'ownWords'> {
  const wanted = texts.filter(([key]) => required.has(key));
  const fullest = wanted.find(([key]) => CONTENT.test(key)) ?? wanted[0];
  const named = others ? undefined : texts.find(([, { description = '' }]) => NAMES.test(description));
  const optional =
    texts.find(([key]) => key === 'query') ?? texts.find(([key]) => key === 'subject') ?? named;
  const [property] = fullest ?? optional ?? [];
  return {
    text:
      property === undefined
        ? null
        : { property, takesQuestion: ASKS.test(property) || (!fullest && property !== 'subject') },
    labels: wanted.flatMap(([key]) => (key === property ? [] : [key])),
    ownWords: texts.find(([, { description = '' }]) => /\buser.s words\b/.test(description))?.[0] ?? null,
  };
}

/** An object with one number, its unit, and at most one more property, for what is measured. */
function measureOf([property, schema]: Property): Measure | null {
  const isList = schema.type === 'array';
  const { required = [], properties = {} } = (isList ? schema.items : schema) ?? {};
  const parts = Object.entries(properties);
  const [number, ...numbers] = parts.filter(([key, part]) => isNumber(part) && required.includes(key));
  const unit = parts.find(([key, part]) => key === 'unit' || isCode(3, part));
  const others = parts.filter(([key]) => required.includes(key) && key !== unit?.[0] && key !== number?.[0]);
  const [kind] = others;
  if (!number || !unit || numbers.length > 0 || others.length > 1) return null;
  const units = isCode(3, unit[1]) ? codeNames(unit[1], currencyNames()) : unitNamesOf(unit[1]);
  return {
    property,
    isList,
    number: number[0],
    unit: { key: unit[0], names: units },
    // What is measured must be a known thing. Otherwise half of the sentence would be ignored.
    kind: kind ? { key: kind[0], names: kind[1].enum ? valueNames(kind[1]) : thingNames } : null,
  };
}

/** The value that the description gives for anything else. */
function usualOf({ enum: values = [], description = '' }: Schema): string | null {
  const told = Array.from(description.matchAll(/(\w+): ([^;]*)/g));
  const value = told.find(
    ([, name, meaning = '']) => values.includes(name) && /\b(?:else|other)\b/.test(meaning),
  )?.[1];
  return value ?? null;
}

/** The aliases that a description gives for values: `diesel (gazole, gasoil)`. */
function aliasesIn(description: string): Map<string, string[]> {
  return new Map(
    Array.from(description.matchAll(/([^\s,，、]+) \(([^()]*)\)/gu), ([, value = '', aliases = '']) => [
      value,
      aliases.split(/[,，、]\s*/),
    ]),
  );
}

function valueNames({ enum: values = [], description = '' }: Schema): Phrases<string> {
  const phrases = new Phrases<string>();
  const told = aliasesIn(description);
  for (const value of values) {
    if (typeof value !== 'string') continue;
    // The last segment of a path is a name too.
    const aliases = [value, value.slice(value.lastIndexOf('/') + 1), ...(told.get(value) ?? [])];
    for (const name of [...aliases, ...synonymsOf(value)]) phrases.add(name, value);
  }
  return phrases;
}

/** If ICU knows one name of a unit, its other names are added. */
function unitNamesOf(schema: Schema): Phrases<string> {
  const values = schema.enum ?? schema.description?.split(', ');
  const phrases = valueNames({ ...schema, enum: values });
  for (const value of values ?? []) {
    if (typeof value !== 'string') continue;
    for (const unit of unitNames().of(value))
      for (const name of unitNames().for(unit)) phrases.add(name, value);
  }
  return phrases;
}

/** Codes by name. The description takes precedence: `XOF for FCFA`. */
function codeNames({ description = '' }: Schema, known: Phrases<string>): Phrases<string> {
  const phrases = new Phrases(known);
  for (const [, code = '', name = ''] of description.matchAll(/\b([A-Z]{2,3}) for ([\p{L}’']+)/gu))
    phrases.set(name, code);
  return phrases;
}

function countryIn(properties: readonly Property[]): Slots['country'] {
  const found = properties.find(
    ([key, schema]) => key === 'country' || (isCode(2, schema) && /countr/i.test(schema.description ?? '')),
  );
  return found ? { property: found[0], names: codeNames(found[1], countryNames()) } : null;
}
