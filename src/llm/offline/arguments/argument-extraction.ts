import type { JsonObject, JsonValue } from '../../../common/json.js';
import { fitToSchema } from './argument-check.js';
import { bestValue, glossaryOf } from './enum-glossary.js';
import { extractItems, itemShape } from './item-extraction.js';
import { statedNumber } from './number-extraction.js';
import {
  childrenOf,
  elementOf,
  enumOf,
  isCountry,
  isCurrency,
  isUnit,
  ownDescription,
  propertiesOf,
  type Property,
} from './property.js';
import type { Quantity } from '../reading/quantities.js';
import type { Reading } from '../reading/read.js';
import { unitNamed } from '../reading/units.js';
import { statedList, statedText } from './stated-values.js';

export interface Extraction {
  arguments: JsonObject;
  /** The required properties the text says nothing of. */
  missing: Property[];
  /** Whether the arguments may be sent: they fit the schema. */
  complete: boolean;
}

/** What an extraction has read so far: a number serves one property only. */
interface Work {
  reading: Reading;
  used: Set<Quantity>;
  /** How many required numbers the tool asks for. */
  requiredNumbers: number;
}

/** Members of the central African franc zone: their «FCFA» is another currency. */
const centralFrancZone = new Set(['CM', 'CF', 'TD', 'CG', 'GA', 'GQ']);

const currencyOf = (quantity: Quantity, reading: Reading): string => {
  const key = quantity.unit?.key ?? '';
  return key === 'XOF' && reading.countries.some(({ code }) => centralFrancZone.has(code)) ? 'XAF' : key;
};

function textFor(property: Property, { reading }: Work): JsonValue | undefined {
  const format = property.schema['format'];
  if (isCountry(property)) return reading.countries[0]?.code;
  if (format === 'date') return reading.dates[0]?.iso;
  if (format === 'date-time') return reading.dates[0] && `${reading.dates[0].iso}T00:00:00Z`;
  if (format === 'uri' || format === 'url')
    return /https?:\/\/[^\s<>"'»]+[^\s<>"'».,;:!?)]/u.exec(reading.text)?.[0];
  if (format === 'email') return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/u.exec(reading.text)?.[0];
  if (isCurrency(property)) {
    const money = reading.quantities.find(({ unit }) => unit?.dimension === 'money');
    return money && currencyOf(money, reading);
  }
  const values = enumOf(property);
  if (values.length > 0) return enumValue(property, values, reading);
  const wholeQuestion = /^(?:q|query|question|text|prompt|message|content|request|input|search|task)$/i.test(
    property.name,
  );
  if (wholeQuestion && property.required) return reading.text.trim();
  return statedText(property, reading) ?? undefined;
}

function enumValue(property: Property, values: readonly string[], reading: Reading): string | undefined {
  if (isUnit(property)) {
    const stated = reading.quantities.find(({ unit }) =>
      values.some((value) => unit && unitNamed(value)?.key === unit.key),
    );
    return values.find((value) => unitNamed(value)?.key === stated?.unit?.key);
  }
  // A value of two letters is a code: as a word of the text (es, en, no) it would mean something else.
  const words = values.filter((value) => value.length > 2);
  return bestValue(glossaryOf(words, property.description), reading.meanings)?.value;
}

function booleanFor(property: Property, { reading }: Work): boolean | undefined {
  const spoken = reading.meanings.find((meaning) =>
    property.nameMeanings.some((own) => own.key === meaning.key),
  );
  const all = property.nameMeanings.every((own) =>
    reading.meanings.some((meaning) => own.key === meaning.key),
  );
  if (!spoken || !all) return undefined;
  const clause = /[^,.;:!?]*$/u.exec(reading.folded.slice(0, spoken.start))?.[0] ?? '';
  return !/\b(?:pas|ne|n'|sans|not|no|without|don't|sin)\b|不|沒/u.test(clause);
}

/** {amount, currency}: both come from one quantity, or neither. */
function moneyFor(property: Property, work: Work): JsonObject | undefined {
  const children = childrenOf(property);
  const currency = children.find(isCurrency);
  const amount = children.find((child) => child.type === 'number' || child.type === 'integer');
  if (!currency || !amount) return undefined;
  const found = statedNumber(amount, work.reading, work.used, { money: true, only: false });
  if (!found) return undefined;
  work.used.add(found.quantity);
  return { [amount.name]: found.value, [currency.name]: currencyOf(found.quantity, work.reading) };
}

function objectFor(property: Property, work: Work): JsonObject | undefined {
  if (childrenOf(property).some(isCurrency)) return moneyFor(property, work);
  const children = childrenOf(property);
  const found = fill(children, work);
  const whole = children.every((child) => !child.required || Object.hasOwn(found, child.name));
  return whole && Object.keys(found).length > 0 ? found : undefined;
}

function arrayFor(property: Property, work: Work): JsonValue | undefined {
  const element = elementOf(property);
  const shape = element.type === 'object' ? itemShape(element) : null;
  if (shape) {
    const { items, used } = extractItems(shape, work.reading);
    for (const quantity of used) work.used.add(quantity);
    return items.length > 0 ? items : undefined;
  }
  if (element.type === 'object') {
    const one = objectFor(element, work);
    return one && [one];
  }
  const list =
    enumOf(element).length > 0 ? enumValues(element, work.reading) : statedList(property, work.reading);
  return element.type === 'string' && list.length > 0 ? list : undefined;
}

/** Every value of an enum that some word of the text means. */
const enumValues = (element: Property, reading: Reading): string[] => {
  const glossary = glossaryOf(enumOf(element), element.description);
  return [...new Set(reading.meanings.flatMap((meaning) => bestValue(glossary, [meaning])?.value ?? []))];
};

function numberFor(property: Property, work: Work): number | undefined {
  const only = property.required && work.requiredNumbers === 1;
  const money = /4217|currency|devise|moneda|\bmontant|\bmoney/i.test(ownDescription(property));
  const found = statedNumber(property, work.reading, work.used, { money, only });
  if (found) work.used.add(found.quantity);
  return found?.value;
}

function valueFor(property: Property, work: Work): JsonValue | undefined {
  if (property.schema['const'] !== undefined) return property.required ? property.schema['const'] : undefined;
  switch (property.type) {
    case 'string':
      return textFor(property, work);
    case 'number':
    case 'integer':
      return numberFor(property, work);
    case 'boolean':
      return booleanFor(property, work);
    case 'array':
      return arrayFor(property, work);
    case 'object':
      return objectFor(property, work);
    default:
      return undefined;
  }
}

/** Lists of amounts first: their numbers are then no longer free for a lone number property. */
const readingOrder: readonly string[] = [
  'array',
  'object',
  'integer',
  'number',
  'boolean',
  'string',
  'unknown',
];

function fill(properties: readonly Property[], work: Work): JsonObject {
  const ordered = properties.toSorted((a, b) => readingOrder.indexOf(a.type) - readingOrder.indexOf(b.type));
  const found = new Map<string, JsonValue>();
  for (const property of ordered) {
    const value = valueFor(property, work) ?? (property.required ? property.schema['default'] : undefined);
    if (value !== undefined) found.set(property.name, value);
  }
  return Object.fromEntries(
    properties.flatMap(({ name }) => (found.has(name) ? [[name, found.get(name) ?? null]] : [])),
  );
}

/** Fills a tool's arguments from a text by the tool's JSON Schema: only what the text states. */
export function extractArguments(parameters: JsonObject, reading: Reading): Extraction {
  const properties = propertiesOf(parameters);
  const numbers = properties.filter(
    ({ required, type }) => required && (type === 'number' || type === 'integer'),
  );
  const found = fill(properties, { reading, used: new Set(), requiredNumbers: numbers.length });
  const { value, fits } = fitToSchema(found, parameters);
  const missing = properties.filter(({ name, required }) => required && !Object.hasOwn(value, name));
  return { arguments: value, missing, complete: fits && missing.length === 0 };
}
