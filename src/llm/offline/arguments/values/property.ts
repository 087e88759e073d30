import type { JsonObject, JsonValue } from '../../../../common/json.js';
import { asArray, asObject, asText, strings } from '../../json-access.js';
import { type Meaning, meaningsOf } from '../../reading/words/meaning.js';
import { type Unit, unitNamed } from '../../reading/numbers/units.js';

export type PropertyType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'unknown';

/** One property of a tool's parameters, with what its schema says of it. */
export interface Property {
  name: string;
  type: PropertyType;
  schema: JsonObject;
  required: boolean;
  /** Its own and those of the properties around it. */
  description: string;
  /** What its name, and the names around it, speak of. */
  nameMeanings: readonly Meaning[];
  root: JsonObject;
  depth: number;
}

const deepest = 6;
const types = new Set<string>(['string', 'number', 'integer', 'boolean', 'array', 'object']);

/** Follows a local `$ref` and takes the first branch that is not null of `anyOf` and `oneOf`. */
function resolve(schema: JsonObject, root: JsonObject, hops = 0): JsonObject {
  if (hops > deepest) return schema;
  const reference = asText(schema['$ref']);
  if (reference.startsWith('#/')) {
    const target = reference
      .slice(2)
      .split('/')
      .reduce<JsonValue | undefined>((at, key) => asObject(at)[key], root);
    return resolve({ ...asObject(target), ...without(schema, '$ref') }, root, hops + 1);
  }
  const branches = [...asArray(schema['anyOf']), ...asArray(schema['oneOf'])].map(asObject);
  const branch = branches.find((each) => each['type'] !== 'null');
  return branch ? resolve({ ...branch, ...without(schema, 'anyOf', 'oneOf') }, root, hops + 1) : schema;
}

const without = (object: JsonObject, ...keys: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

function typeOf(schema: JsonObject): PropertyType {
  const stated = [schema['type'], ...asArray(schema['type'])].find(
    (type) => typeof type === 'string' && types.has(type),
  );
  if (typeof stated === 'string') return stated as PropertyType;
  if (Array.isArray(schema['enum'])) return 'string';
  if (schema['properties']) return 'object';
  return schema['items'] ? 'array' : 'unknown';
}

/** A property under `parent`; null for the schema of the parameters themselves. */
function toProperty(
  name: string,
  given: JsonValue,
  required: boolean,
  parent: Property | null,
  root: JsonObject,
): Property {
  const schema = resolve(asObject(given), root);
  const own = `${asText(schema['title'])} ${asText(schema['description'])}`.trim();
  return {
    name,
    schema,
    required,
    root,
    type: typeOf(schema),
    description: [own, parent?.description ?? ''].filter((text) => text !== '').join('\n'),
    nameMeanings: [...meaningsOf(name), ...(parent?.nameMeanings ?? [])],
    depth: (parent?.depth ?? 0) + 1,
  };
}

/** A tool's parameters are asked for with every sentence of a question. */
const known = new WeakMap<JsonObject, Property[]>();

/** The properties of a tool's parameters. Of anything that is no object schema: none. */
export function propertiesOf(parameters: JsonObject): readonly Property[] {
  const properties = known.get(parameters) ?? readProperties(parameters);
  known.set(parameters, properties);
  return properties;
}

function readProperties(parameters: JsonObject): Property[] {
  const schema = resolve(parameters, parameters);
  const required = new Set(strings(schema['required']));
  return Object.entries(asObject(schema['properties'])).map(([name, child]) =>
    toProperty(name, child, required.has(name), null, parameters),
  );
}

/** The properties of an object property. */
export function childrenOf(property: Property): readonly Property[] {
  const children = knownChildren.get(property) ?? readChildren(property);
  knownChildren.set(property, children);
  return children;
}

const knownChildren = new WeakMap<Property, Property[]>();

function readChildren(property: Property): Property[] {
  if (property.depth > deepest) return [];
  const required = new Set(strings(property.schema['required']));
  return Object.entries(asObject(property.schema['properties'])).map(([name, child]) =>
    toProperty(name, child, required.has(name), property, property.root),
  );
}

/** What an array property holds. */
export function elementOf(property: Property): Property {
  const element = toProperty('', property.schema['items'] ?? {}, true, property, property.root);
  return { ...element, depth: property.depth + 1 };
}

export const enumOf = (property: Property): string[] => strings(property.schema['enum']);

/** The property's own description, without those around it. */
export const ownDescription = (property: Property): string => asText(property.schema['description']);

export const isCountry = (property: Property): boolean =>
  property.type === 'string' &&
  (/3166|alpha-2/i.test(ownDescription(property)) ||
    (property.schema['pattern'] === '^[A-Z]{2}$' &&
      property.nameMeanings.some(({ key }) => key === 'country')));

export const isCurrency = (property: Property): boolean =>
  property.type === 'string' &&
  (/4217/.test(ownDescription(property)) || /currency|devise|moneda/i.test(property.name));

/** An enum of units, such as kWh, litre, kg. */
export const isUnit = (property: Property): boolean => {
  const values = enumOf(property);
  return values.length > 0 && values.filter((value) => unitNamed(value)).length * 2 > values.length;
};

/** The unit that a number is wanted in: `energyKwh`, «in tonnes», «(kWh)». */
export function wantedUnit(property: Property): Unit | null {
  const last =
    property.name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .split('_')
      .at(-1) ?? '';
  const named = last.length > 1 ? unitNamed(last) : null;
  if (named) return named;
  const told = /(?:\(|\b(?:in|en|as)\s+)([\p{L}%³0-9]{1,12})\b/u.exec(ownDescription(property))?.[1];
  return told ? unitNamed(told) : null;
}
