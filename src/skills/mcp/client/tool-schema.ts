import {
  argumentSchemas,
  BadSchema,
  lookUp,
  mapSchemas,
  MAX_PARTS,
  partsOf,
  PatternChoice,
  toDraft2020,
} from '@palabre/json-schema';
import { HEADER_NAME } from '@palabre/openapi';
import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

const MAX_SCHEMA_CHARACTERS = 64_000;
const MAX_DEPTH = 20;
/** The most sub-schemas with all references followed: a small text can refer to itself a billion times. */
const MAX_STEPS = 10_000;

/** Names by which a schema could be confused with another server's, and dialects, which are treated alike. */
const dropped = new Set(['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$vocabulary']);

/** Keywords whose value is data. */
const asData = new Set(['const', 'enum', 'default', 'examples']);

/**
 * The schema of a tool's arguments for models and checks. Strangers wrote it, so slow parts are removed. Throws
 * BadSchema.
 */
export function usableSchema(schema: unknown): JsonObject {
  const harmless = harmlessSchema(schema);
  try {
    argumentSchemas.validatorOf(harmless);
  } catch {
    throw new BadSchema('The schema of its arguments is not JSON Schema.');
  }
  return harmless;
}

/** As `usableSchema`, without checking that it is JSON Schema. Throws BadSchema. */
export function harmlessSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) throw new BadSchema('The schema of its arguments is not an object.');
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS)
    throw new BadSchema(`The schema of its arguments is larger than ${MAX_SCHEMA_CHARACTERS / 1000} kB.`);
  if (schema.type !== undefined && schema.type !== 'object')
    throw new BadSchema('The schema of its arguments is not of type object.');
  const cleaned: JsonObject = { ...clean(schema, new PatternChoice(), 1), type: 'object' };
  checkCost(cleaned);
  if (sizeOf(cleaned) > MAX_PARTS) throw tooComplex();
  checkHeaders(cleaned);
  return cleaned;
}

/** The number of parts of a harmless schema to compile. */
export function sizeOf(schema: JsonObject): number {
  return partsOf(schema, (reference) => targetOf(schema, reference));
}

function clean(schema: JsonObject, patterns: PatternChoice, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new BadSchema(`The schema of its arguments is more than ${MAX_DEPTH} deep.`);
  const cleaned: JsonObject = {};
  for (const [keyword, value] of Object.entries(withoutPatterns(schema))) {
    if (dropped.has(keyword)) continue;
    // Servers written in Go send null for an empty list or object.
    if (value === null && !asData.has(keyword)) continue;
    if (keyword === 'pattern' && !isUsable(value, patterns)) continue;
    cleaned[keyword] = value;
  }
  if (typeof schema.pattern === 'string' && cleaned.pattern === undefined) {
    // The server checks it; the model should still know.
    cleaned.description = [schema.description, `Pattern: ${schema.pattern.slice(0, 200)}`]
      .filter(Boolean)
      .join(' ');
  }
  const mapped = mapSchemas(cleaned, (inner) =>
    isJsonObject(inner) ? clean(inner, patterns, depth + 1) : inner,
  );
  return inOneDialect(toDraft2020(mapped));
}

/**
 * The server checks names that match a pattern. The rule for all other names is removed too, because it would apply
 * to these.
 */
function withoutPatterns({ patternProperties, ...schema }: JsonObject): JsonObject {
  if (patternProperties === undefined) return schema;
  const { additionalProperties, unevaluatedProperties: _, ...open } = schema;
  const [form, ...others] = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  const isOne = form !== undefined && others.length === 0 && additionalProperties === false;
  return isOne ? { ...open, additionalProperties: form } : open;
}

/** Up to draft 2019-09, `items` could be a list of schemas for an array's places. */
function inOneDialect({ items, additionalItems, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(items)) return items === undefined ? schema : { ...schema, items };
  return { ...schema, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

function isUsable(pattern: JsonValue, patterns: PatternChoice): boolean {
  return typeof pattern === 'string' && pattern.length <= 200 && patterns.isUsable(pattern);
}

/** The cost of a check: how many schemas are visited, and how many references lead back. */
interface Cost {
  steps: number;
  circles: number;
}

function sumOf(costs: readonly Cost[], own: number): Cost {
  return {
    steps: costs.reduce((sum, { steps }) => sum + steps, own),
    circles: costs.reduce((sum, { circles }) => sum + circles, 0),
  };
}

function checkCost(root: JsonObject): void {
  const known = new Map<string, Cost>();
  const costOfReference = (reference: string): Cost => {
    const found = known.get(reference);
    if (found) return found;
    // A reference that is met again before its cost is known is a cycle. It goes as deep as the value.
    known.set(reference, { steps: 1, circles: 1 });
    const cost = costOf(targetOf(root, reference));
    known.set(reference, cost);
    return cost;
  };
  const costOf = (value: JsonValue): Cost => {
    if (Array.isArray(value)) return sumOf(value.map(costOf), 0);
    if (!isJsonObject(value)) return { steps: 0, circles: 0 };
    const { $ref, $dynamicRef, $defs: _, definitions: __, ...inside } = value;
    const references = [$ref, $dynamicRef].filter((reference) => typeof reference === 'string');
    const cost = sumOf([...references.map(costOfReference), ...Object.values(inside).map(costOf)], 1);
    if (cost.steps > MAX_STEPS) throw tooComplex();
    return cost;
  };
  // Two cycles double the work at each level of the value.
  if (costOf(root).circles > 1 && /"(allOf|anyOf|oneOf|if|dependentSchemas)":/.test(JSON.stringify(root)))
    throw tooComplex();
}

function tooComplex(): BadSchema {
  return new BadSchema('The schema of its arguments is too intricate.');
}

const HEADER = 'x-mcp-header';
const headerTypes: ReadonlySet<JsonValue | undefined> = new Set(['string', 'integer', 'boolean']);

/**
 * A server may have an argument repeated as a header. Clients must leave out a tool that does so wrongly: twice, with
 * an invalid header name, or for an optional or composite value.
 */
function checkHeaders(root: JsonObject): void {
  const names = headersOf(root);
  const count = JSON.stringify(root).split(`"${HEADER}":`).length - 1;
  const isRight = names.every((name) => HEADER_NAME.test(name));
  if (names.length === count && isRight && new Set(names).size === count) return;
  throw new BadSchema('The schema of its arguments asks for headers in a way that cannot be followed.');
}

/** Headers in lower case, for arguments with one fixed place. */
function headersOf({ properties }: JsonObject): string[] {
  return Object.values(isJsonObject(properties) ? properties : {})
    .filter(isJsonObject)
    .flatMap((schema) => {
      const name = schema[HEADER];
      const inside = headersOf(schema);
      return typeof name === 'string' && headerTypes.has(schema.type)
        ? [name.toLowerCase(), ...inside]
        : inside;
    });
}

function targetOf(root: JsonObject, reference: string): JsonObject {
  const target = lookUp(root, reference);
  if (!isJsonObject(target)) throw new BadSchema('The schema of its arguments refers to what is no schema.');
  return target;
}
