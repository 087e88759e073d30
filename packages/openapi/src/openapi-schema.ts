import {
  BadSchema,
  filterKeywords,
  mapSchemas,
  type PatternChoice,
  toDraft2020,
  withoutReferences,
} from '@palabre/json-schema';
import { withoutAccents } from '@palabre/text';

import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import type { OpenApiDocument } from './openapi-document.js';
import type { ArgumentPlace, Placement } from './http-call.js';

/** Keywords of OpenAPI only, and those that name a schema. */
const dropped = new Set(
  'xml externalDocs discriminator example nullable writeOnly $id $schema $anchor $dynamicAnchor'.split(' '),
);

interface Conversion {
  isOld: boolean;
  /** Shared by all schemas of an operation. */
  patterns: PatternChoice;
}

/** A schema of the document as self-contained JSON Schema 2020-12, without unusable patterns. Throws BadSchema. */
export function jsonSchemaOf(
  schema: JsonObject,
  { root, isOld }: OpenApiDocument,
  patterns: PatternChoice,
): JsonObject {
  const converted = convert(withoutReferences(schema, root), { isOld, patterns });
  return isJsonObject(converted) ? converted : {};
}

function convert(schema: JsonValue, conversion: Conversion): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const left = filterKeywords(
    schema,
    (keyword, value) =>
      !dropped.has(keyword) &&
      !keyword.startsWith('x-') &&
      // An uncheckable pattern does not exclude the operation, because the service checks it too.
      (keyword !== 'pattern' || conversion.patterns.isUsable(value)),
  );
  const { patternProperties } = left;
  if (isJsonObject(patternProperties))
    left.patternProperties = filterKeywords(patternProperties, (name) => conversion.patterns.isUsable(name));
  const converted = mapSchemas(left, (inner) => convert(inner, conversion));
  return conversion.isOld ? toDraft2020({ ...converted, nullable: schema.nullable === true }) : converted;
}

/** Whether a value of the schema may be an object or a list of objects, as far as the schema says. */
export function holdsObjects({ type, properties, additionalProperties, items, allOf }: JsonObject): boolean {
  return (
    type === 'object' ||
    (Array.isArray(type) && type.includes('object')) ||
    isJsonObject(properties) ||
    isJsonObject(additionalProperties) ||
    (isJsonObject(items) && holdsObjects(items)) ||
    (Array.isArray(allOf) && allOf.some((part) => isJsonObject(part) && holdsObjects(part)))
  );
}

/** The fields of an object schema, including those of its parts. Null: not an object with named fields. */
export function fieldsOf(schema: JsonObject): { properties: JsonObject; required: string[] } | null {
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
}

/** Allows digits for integers of 64 bits, because JavaScript and many models only hold 53. */
export function allowDigitStrings(schema: JsonObject): JsonObject {
  const { type, format, items } = schema;
  if (isJsonObject(items)) return { ...schema, items: allowDigitStrings(items) };
  const types = [type].flat();
  if (format !== 'int64' || !types.includes('integer') || types.includes('string')) return schema;
  return {
    ...schema,
    type: [...types, 'string'].filter((one) => one !== undefined),
    pattern: '^-?[0-9]{1,19}$',
  };
}

/** Keywords with schemas for the same object. */
const ofSameObject = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);
/** Conditions. Their requirements do not apply to the value itself. */
const asking = new Set(['not', 'if']);

const none: ReadonlySet<string> = new Set();

/**
 * A body's schema without read-only fields. A required read-only field is required of answers only (OpenAPI 3.0,
 * Schema Object, readOnly), because the caller does not know it.
 */
export function withoutReadOnly(schema: JsonObject): JsonObject {
  return objectWithout(schema, none);
}

function without(schema: JsonValue, outer: ReadonlySet<string>): JsonValue {
  return isJsonObject(schema) ? objectWithout(schema, outer) : schema;
}

/** `outer`: read-only fields of an enclosing schema for the same object. */
function objectWithout(schema: JsonObject, outer: ReadonlySet<string>): JsonObject {
  const hidden = new Set([...outer, ...readOnlyIn(schema)]);
  const told = { ...schema };
  const { properties, required } = schema;
  if (isJsonObject(properties))
    told.properties = filterKeywords(properties, (_, field) => !isReadOnly(field));
  if (Array.isArray(required)) {
    told.required = required.filter((name) => !hidden.has(String(name)));
    if (told.required.length === 0) delete told.required;
  }
  return mapSchemas(told, (inner, keyword) =>
    asking.has(keyword) ? inner : without(inner, ofSameObject.has(keyword) ? hidden : none),
  );
}

/** Includes the parts, because one part may require what another makes read-only. */
function readOnlyIn({ properties, allOf }: JsonObject): string[] {
  const own = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  return [
    ...own.filter(([, field]) => isReadOnly(field)).map(([name]) => name),
    ...parts.flatMap(readOnlyIn),
  ];
}

/** A nullable field without a type was converted to anyOf. */
function isReadOnly(field: JsonValue): boolean {
  return (
    isJsonObject(field) &&
    (field.readOnly === true || (Array.isArray(field.anyOf) && field.anyOf.some(isReadOnly)))
  );
}

interface FoundArgument {
  place: ArgumentPlace | 'PATH';
  /** Its name in the request. */
  name: string;
  schema: JsonObject;
  required: boolean;
}

const MAX_NAME_CHARACTERS = 60;
/** The most that is read of an operation: more than a skill may place. */
const MAX_ARGUMENTS = 200;

/** The arguments of an operation, under unique names that every provider accepts. */
export class NamedArguments {
  readonly placements: Placement[] = [];
  private readonly properties: JsonObject = {};
  private readonly required: string[] = [];
  private count = 0;

  /** Returns the argument's name. Throws BadSchema. */
  add({ place, name, schema, required }: FoundArgument): string {
    if (this.count === MAX_ARGUMENTS) throw new BadSchema(`It has more than ${MAX_ARGUMENTS} arguments.`);
    this.count += 1;
    const argument = this.nameFor(name, place);
    this.properties[argument] = schema;
    if (required) this.required.push(argument);
    if (place !== 'PATH') this.placements.push({ argument, in: place, name });
    return argument;
  }

  get schema(): JsonObject {
    return {
      type: 'object',
      properties: this.properties,
      ...(this.required.length > 0 && { required: this.required }),
      additionalProperties: false,
    };
  }

  /** Equal names get the place as a prefix, and a number if necessary. */
  private nameFor(name: string, place: FoundArgument['place']): string {
    const plain = withoutAccents(name).replaceAll(/\W+/g, '_').slice(0, MAX_NAME_CHARACTERS);
    const first = /^[A-Za-z]/.test(plain) ? plain : `_${plain}`;
    const base = this.isTaken(first)
      ? `${place.toLowerCase()}_${plain}`.slice(0, MAX_NAME_CHARACTERS)
      : first;
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}_${number}`;
      if (!this.isTaken(candidate)) return candidate;
    }
  }

  private isTaken(name: string): boolean {
    return name === '__proto__' || Object.hasOwn(this.properties, name);
  }
}
