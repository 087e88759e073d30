import type { JsonObject, JsonValue } from '../../../common/json.js';
import { answersIn, isAnswerSheet, listsQuestionsOf, setAsideIn } from './answer-sheet.js';
import { fitToSchema } from './argument-check.js';
import { bestValue, glossaryOf } from './values/enum-glossary.js';
import { extractItems } from './items/item-extraction.js';
import { type ItemShape, itemShape } from './items/item-shape.js';
import { statedNumber } from './values/number-extraction.js';
import {
  childrenOf,
  elementOf,
  enumOf,
  isCountry,
  isCurrency,
  ownDescription,
  propertiesOf,
  type Property,
} from './values/property.js';
import type { Quantity } from '../reading/numbers/quantity.js';
import type { Reading } from '../reading/read.js';
import { statedList } from './values/stated-values.js';
import { booleanFor, currencyOf, textFor } from './values/value-extraction.js';

export interface Extraction {
  arguments: JsonObject;
  /** The required properties the text says nothing of. */
  missing: Property[];
  /** Whether the arguments may be sent: they fit the schema. */
  complete: boolean;
  /** Whether a list of amounts was read from the text. */
  lists: boolean;
  /** Amounts of the text that no list has a name for, in its own words. */
  unread: string[];
  /** How many amounts a list may hold, when the text states more; else null. */
  most: number | null;
}

/** What an extraction has read so far: a number serves one property only. */
interface Work {
  reading: Reading;
  /** All that the tool asks for. */
  properties: readonly Property[];
  used: Set<Quantity>;
  /** How many required numbers the tool asks for. */
  requiredNumbers: number;
  unread: string[];
  lists: boolean;
  /** Every amount that was listed carries its country. */
  placesItems: boolean;
  most: number | null;
}

/** What is called no more than this is any amount of money, where the text states just one. */
const anyAmount = /^(?:amount|money|sum|budget|montant|importe|monto)$/i;

/** {amount, currency}: both come from one quantity, or neither. */
function moneyFor(property: Property, work: Work): JsonObject | undefined {
  const children = childrenOf(property);
  const currency = children.find(isCurrency);
  const amount = children.find((child) => child.type === 'number' || child.type === 'integer');
  if (!currency || !amount) return undefined;
  const only = anyAmount.test(property.name);
  const found = statedNumber(amount, work.reading, work.used, { money: true, only });
  if (!found) return undefined;
  work.used.add(found.quantity);
  return { [amount.name]: found.value, [currency.name]: currencyOf(found.quantity, work.reading) };
}

function objectFor(property: Property, work: Work): JsonObject | undefined {
  if (childrenOf(property).some(isCurrency)) return moneyFor(property, work);
  if (isAnswerSheet(property)) {
    const answers = answersIn(property, work.reading.text);
    return Object.keys(answers).length > 0 ? answers : undefined;
  }
  const children = childrenOf(property);
  const found = fill(children, work);
  const whole = children.every((child) => !child.required || Object.hasOwn(found, child.name));
  return whole && Object.keys(found).length > 0 ? found : undefined;
}

function arrayFor(property: Property, work: Work): JsonValue | undefined {
  const shape = itemShape(property);
  if (shape) return itemsFor(shape, work);
  const element = elementOf(property);
  if (element.type === 'object') {
    const one = objectFor(element, work);
    return one && [one];
  }
  const list = listFor(property, element, work);
  return element.type === 'string' && list.length > 0 ? list : undefined;
}

function listFor(property: Property, element: Property, { reading, properties }: Work): string[] {
  const values = enumOf(element);
  if (listsQuestionsOf(property, values, properties)) return setAsideIn(values, reading.text);
  return values.length > 0 ? enumValues(element, reading) : statedList(property, reading);
}

function itemsFor(shape: ItemShape, work: Work): JsonValue | undefined {
  const { items, used, unread, tooMany } = extractItems(shape, work.reading);
  for (const quantity of used) work.used.add(quantity);
  work.unread.push(...unread);
  if (tooMany) work.most = shape.most;
  if (items.length === 0) return undefined;
  work.lists = true;
  const { country } = shape;
  work.placesItems = country !== null && items.every((item) => Object.hasOwn(item, country.name));
  return items;
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
      // Where every amount carries its country, none stands for all.
      return isCountry(property) && work.placesItems ? undefined : textFor(property, work.reading);
    case 'number':
    case 'integer':
      return numberFor(property, work);
    case 'boolean':
      return booleanFor(property, work.reading);
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

/** Whether a tool can be filled is asked before it is chosen, and again when it is. */
const known = new WeakMap<Reading, WeakMap<JsonObject, Extraction>>();

/** Fills a tool's arguments from a text by the tool's JSON Schema: only what the text states. */
export function extractArguments(parameters: JsonObject, reading: Reading): Extraction {
  const ofReading = known.get(reading) ?? new WeakMap<JsonObject, Extraction>();
  const extraction = ofReading.get(parameters) ?? extract(parameters, reading);
  known.set(reading, ofReading.set(parameters, extraction));
  return extraction;
}

function extract(parameters: JsonObject, reading: Reading): Extraction {
  const properties = propertiesOf(parameters);
  const numbers = properties.filter(
    ({ required, type }) => required && (type === 'number' || type === 'integer'),
  );
  const work: Work = {
    reading,
    properties,
    used: new Set(),
    requiredNumbers: numbers.length,
    unread: [],
    lists: false,
    placesItems: false,
    most: null,
  };
  const { value, fits } = fitToSchema(fill(properties, work), parameters);
  const missing = properties.filter(({ name, required }) => required && !Object.hasOwn(value, name));
  const { lists, unread, most } = work;
  return { arguments: value, missing, complete: fits && missing.length === 0, lists, unread, most };
}
