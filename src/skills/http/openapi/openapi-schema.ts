import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { inTodaysWords } from '../../schema/earlier-words.js';
import { linearPattern, UnusablePattern } from '../../schema/linear-pattern.js';
import { schemaAt, schemasBy, schemasIn } from '../../schema/schema-keywords.js';
import { withoutReferences } from '../../schema/schema-references.js';
import type { OpenApiDocument } from './openapi-document.js';

/** OpenAPI's own, and what would name a schema. */
const dropped = new Set(
  'xml externalDocs discriminator example nullable writeOnly $id $schema $anchor $dynamicAnchor'.split(' '),
);

/** What a conversion goes by. */
interface Conversion {
  isOld: boolean;
  /** Hears of each pattern that is left out. */
  unusable(pattern: string): void;
}

/**
 * A schema of the document as JSON Schema 2020-12 that stands for itself. Tells `unusable` each pattern that is left
 * out of it. Throws BadSchema.
 */
export const jsonSchemaOf = (
  schema: JsonObject,
  { root, isOld }: OpenApiDocument,
  unusable: Conversion['unusable'],
): JsonObject => {
  const converted = convert(withoutReferences(schema, root), { isOld, unusable });
  return isJsonObject(converted) ? converted : {};
};

const convert = (schema: JsonValue, conversion: Conversion): JsonValue => {
  if (!isJsonObject(schema)) return schema;
  const inner = (value: JsonValue): JsonValue => convert(value, conversion);
  const eachOf = (keyword: string, schemas: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(schemas)
        .filter(([name]) => keyword !== 'patternProperties' || isUsable(name, conversion))
        .map(([name, value]) => [name, inner(value)]),
    );
  const converted: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (dropped.has(keyword) || keyword.startsWith('x-')) continue;
    if (keyword === 'pattern' && !isUsable(value, conversion)) continue;
    if (schemasIn.has(keyword) && Array.isArray(value)) converted[keyword] = value.map(inner);
    else if (schemaAt.has(keyword)) converted[keyword] = inner(value);
    else if (schemasBy.has(keyword) && isJsonObject(value)) converted[keyword] = eachOf(keyword, value);
    else converted[keyword] = value;
  }
  return conversion.isOld ? inTodaysWords({ ...converted, nullable: schema.nullable === true }) : converted;
};

/** The service checks its patterns itself: one that cannot be checked here does not keep the operation away. */
const isUsable = (pattern: JsonValue, { unusable }: Conversion): boolean => {
  if (typeof pattern === 'string' && isLinear(pattern)) return true;
  unusable(typeof pattern === 'string' ? pattern : JSON.stringify(pattern));
  return false;
};

const isLinear = (pattern: string): boolean => {
  try {
    linearPattern(pattern);
    return true;
  } catch (error) {
    if (error instanceof UnusablePattern) return false;
    throw error;
  }
};

/** Whether what fits the schema may be an object, or a list of them, as far as it says. */
export const holdsObjects = ({ type, properties, additionalProperties, items, allOf }: JsonObject): boolean =>
  type === 'object' ||
  (Array.isArray(type) && type.includes('object')) ||
  isJsonObject(properties) ||
  isJsonObject(additionalProperties) ||
  (isJsonObject(items) && holdsObjects(items)) ||
  (Array.isArray(allOf) && allOf.some((part) => isJsonObject(part) && holdsObjects(part)));

/**
 * The properties of a schema that is an object of named fields, those of its parts together; null when it is anything
 * else.
 */
export const fieldsOf = (schema: JsonObject): { properties: JsonObject; required: string[] } | null => {
  const { type, properties, required, allOf } = schema;
  if (type !== undefined && type !== 'object') return null;
  if (['oneOf', 'anyOf', 'not', 'if', '$ref'].some((keyword) => keyword in schema)) return null;
  const parts = Array.isArray(allOf) ? allOf.map((part) => (isJsonObject(part) ? fieldsOf(part) : null)) : [];
  const own = isJsonObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const fields = parts.reduce(
    (all, part) =>
      all &&
      part && {
        properties: { ...all.properties, ...part.properties },
        required: [...all.required, ...part.required],
      },
    { properties: own, required: names } as { properties: JsonObject; required: string[] } | null,
  );
  if (!fields || Object.keys(fields.properties).length === 0) return null;
  const known = new Set(Object.keys(fields.properties));
  return {
    properties: fields.properties,
    required: [...new Set(fields.required)].filter((name) => known.has(name)),
  };
};

/** Integers of 64 bits may also be given as their digits: numbers of JavaScript, and of many models, hold 53. */
export const orDigits = (schema: JsonObject): JsonObject => {
  const { type, format, items } = schema;
  if (isJsonObject(items)) return { ...schema, items: orDigits(items) };
  const types = [type].flat();
  if (format !== 'int64' || !types.includes('integer') || types.includes('string')) return schema;
  return {
    ...schema,
    type: [...types, 'string'].filter((one) => one !== undefined),
    pattern: '^-?[0-9]{1,19}$',
  };
};
