import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { patternSize } from './pattern-size.js';

/** Keywords whose value is a schema. All other values are data. */
const schemaAt: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

/** Lists of schemas. Before 2020-12, `items` is one, too. */
const schemasIn: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);

const schemasBy: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** Compiling a schema of this many parts blocks the process for a tenth of a second. */
export const MAX_PARTS = 1_000;

const annotations = new Set(
  '$schema $id $comment title description default deprecated readOnly writeOnly example examples'.split(' '),
);
/** Compiled where they are referred to. */
const definitions = new Set(['$defs', 'definitions']);
/** Each name in them is a check of its own. */
const checksBy = new Set(['dependentRequired', 'dependencies']);

/** The number of parts to compile. A referenced part counts once a reference. Stops soon after MAX_PARTS. */
export function partsOf(schema: JsonObject, targetOf: (reference: string) => JsonValue): number {
  const references = new Set<string>();
  const patterns = new Set<string>();
  const open: JsonValue[] = [schema];
  let parts = 0;
  for (let next = open.pop(); next !== undefined && parts <= MAX_PARTS; next = open.pop()) {
    parts += 1;
    if (!isJsonObject(next)) continue;
    const { $ref, $dynamicRef } = next;
    for (const reference of [$ref, $dynamicRef]) {
      if (typeof reference !== 'string' || references.has(reference)) continue;
      references.add(reference);
      open.push(targetOf(reference));
    }
    for (const [keyword, value] of Object.entries(next)) {
      if (annotations.has(keyword) || definitions.has(keyword)) continue;
      parts += checksBy.has(keyword) && isJsonObject(value) ? namesIn(value) : 1;
      for (const pattern of patternsOf(keyword, value)) {
        if (!patterns.has(pattern)) parts += patternSize(pattern) / SIZE_OF_A_PART;
        patterns.add(pattern);
      }
      open.push(...schemasOf(keyword, value));
    }
  }
  return parts;
}

/** A pattern of this size takes as long to read as another part. */
const SIZE_OF_A_PART = 10;

export function patternsOf(keyword: string, value: JsonValue): string[] {
  if (keyword === 'pattern' && typeof value === 'string') return [value];
  return keyword === 'patternProperties' && isJsonObject(value) ? Object.keys(value) : [];
}

function namesIn(lists: JsonObject): number {
  return Object.values(lists).reduce<number>(
    (sum, list) => sum + 1 + (Array.isArray(list) ? list.length ** 2 / 100 : 0),
    0,
  );
}

export function mapSchemas(
  schema: JsonObject,
  map: (inner: JsonValue, keyword: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      const mapped = (inner: JsonValue): JsonValue => map(inner, keyword);
      if (schemasIn.has(keyword) && Array.isArray(value)) return [keyword, value.map(mapped)];
      if (schemaAt.has(keyword)) return [keyword, mapped(value)];
      if (!schemasBy.has(keyword) || !isJsonObject(value)) return [keyword, value];
      const named = Object.entries(value).map(([name, inner]) => [name, mapped(inner)]);
      return [keyword, Object.fromEntries(named)];
    }),
  );
}

/** The schema without some of its keywords, or without some named schemas under one of them. */
export function filterKeywords(
  schema: JsonObject,
  isKept: (keyword: string, value: JsonValue) => boolean,
): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => isKept(keyword, value)));
}

export function schemasOf(keyword: string, value: JsonValue): JsonValue[] {
  if (schemasIn.has(keyword) && Array.isArray(value)) return value;
  if (schemaAt.has(keyword)) return [value];
  return schemasBy.has(keyword) && isJsonObject(value) ? Object.values(value) : [];
}
