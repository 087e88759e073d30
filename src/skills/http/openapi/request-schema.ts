import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { schemaAt, schemasBy, schemasIn } from '../../schema/schema-keywords.js';

/** Keywords whose schemas are of the same object as the schema that they stand in. */
const ofSameObject = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);
/** What is asked there is no demand. */
const asking = new Set(['not', 'if']);

const none: ReadonlySet<string> = new Set();

/**
 * A body's schema without what the service alone sets. Where that is required, it is of answers (OpenAPI 3.0, Schema
 * Object, readOnly): whoever sends a body does not know it.
 */
export const withoutReadOnly = (schema: JsonObject): JsonObject => objectWithout(schema, none);

const without = (schema: JsonValue, outer: ReadonlySet<string>): JsonValue =>
  isJsonObject(schema) ? objectWithout(schema, outer) : schema;

/** `outer`: names of fields that a schema around this one, of the same object, says to be read-only. */
const objectWithout = (schema: JsonObject, outer: ReadonlySet<string>): JsonObject => {
  const hidden = new Set([...outer, ...readOnlyIn(schema)]);
  const told: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = (one: JsonValue): JsonValue => without(one, ofSameObject.has(keyword) ? hidden : none);
    if (asking.has(keyword)) told[keyword] = value;
    else if (keyword === 'required' && Array.isArray(value)) {
      const names = value.filter((name) => !hidden.has(String(name)));
      if (names.length > 0) told.required = names;
    } else if (schemasIn.has(keyword) && Array.isArray(value)) told[keyword] = value.map(inner);
    else if (schemaAt.has(keyword)) told[keyword] = inner(value);
    else if (schemasBy.has(keyword) && isJsonObject(value)) {
      const kept = Object.entries(value).filter(([, one]) => keyword !== 'properties' || !isReadOnly(one));
      told[keyword] = Object.fromEntries(kept.map(([name, one]) => [name, inner(one)]));
    } else told[keyword] = value;
  }
  return told;
};

/** Those of its parts as well: what one of them says to be read-only, another one may require. */
const readOnlyIn = ({ properties, allOf }: JsonObject): string[] => {
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  return [
    ...own.filter(([, field]) => isReadOnly(field)).map(([name]) => name),
    ...parts.flatMap(readOnlyIn),
  ];
};

/** A field that may be null and names no type has become one of two schemas. */
const isReadOnly = (field: JsonValue): boolean =>
  isJsonObject(field) &&
  (field.readOnly === true || (Array.isArray(field.anyOf) && field.anyOf.some(isReadOnly)));
