import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { argumentSchemas, linearPattern, UnusablePattern } from './compiled-schema.js';
import { MAX_PARTS, partsOf, patternsOf, schemasOf } from './schema-keywords.js';
import { BadSchema, lookUp, withoutReferences, withReferencesAtHand } from './schema-references.js';

export const MAX_SCHEMA_CHARACTERS = 64_000;
export const MAX_SCHEMA_DEPTH = 20;
const NOT_AN_OBJECT = 'This must be a JSON Schema of type object.';

/** Keywords that name a schema globally or refer to another one. */
const naming = new Set([
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveRef',
  '$ref',
]);

/** A company's schema of arguments without references, safe for the server. Throws BadSchema. */
export function checkedSchema(schema: JsonValue): JsonObject {
  const whole = standaloneSchema(schema);
  try {
    argumentSchemas.validatorOf(whole);
  } catch (error) {
    throw new BadSchema(`This is not a JSON Schema (2020-12): ${(error as Error).message}.`, {
      cause: error,
    });
  }
  return whole;
}

/** Why a schema cannot describe arguments, in words for people. Null: it can. */
export function faultOfSchema(schema: JsonValue): string | null {
  try {
    checkedSchema(schema);
    wholeSchema(schema);
    return null;
  } catch (error) {
    if (error instanceof BadSchema) return error.message;
    throw error;
  }
}

/** As `checkedSchema`, without checking that it is JSON Schema, which is slow. Throws BadSchema. */
export function standaloneSchema(schema: JsonValue): JsonObject {
  if (!isJsonObject(schema)) throw new BadSchema(NOT_AN_OBJECT);
  requireStorable(schema);
  const { $schema: _, ...rest } = schema;
  const found = withoutReferences(rest, rest);
  if (found.type !== undefined && found.type !== 'object') throw new BadSchema(NOT_AN_OBJECT);
  const whole: JsonObject = { ...found, type: 'object' };
  requireStorable(whole);
  // Checked before the patterns are read, which takes time.
  if (partsOf(whole, (reference) => lookUp(whole, reference)) > MAX_PARTS) {
    throw new BadSchema(
      `With its references, the schema must have at most ${MAX_PARTS} parts: schemas inside it, what each of them asks for, and each ten steps of their patterns, whose counted repetitions are written out.`,
    );
  }
  requireHarmless(whole);
  return whole;
}

/**
 * As `standaloneSchema`, but complete, even where the schema contains itself. It is for checks; models and providers
 * get the other. Throws BadSchema.
 */
export function wholeSchema(schema: JsonValue): JsonObject {
  if (!isJsonObject(schema)) throw new BadSchema(NOT_AN_OBJECT);
  const { $schema: _, ...rest } = schema;
  return { ...withReferencesAtHand(rest), type: 'object' };
}

/** A loop, because deep nesting would overflow the stack of a recursion. */
function requireStorable(schema: JsonObject): void {
  let level: JsonValue[] = [schema];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > 3 * MAX_SCHEMA_DEPTH)
      throw new BadSchema(`As JSON, the schema must be at most ${3 * MAX_SCHEMA_DEPTH} levels deep.`);
    for (const value of level) requirePlain(value);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS)
    throw new BadSchema(`The schema must be at most ${MAX_SCHEMA_CHARACTERS} characters of JSON.`);
}

function requirePlain(value: JsonValue): void {
  const texts = typeof value === 'string' ? [value] : isJsonObject(value) ? Object.keys(value) : [];
  if (texts.some((text) => text.includes('\0') || !text.isWellFormed() || text === '__proto__'))
    throw new BadSchema('The schema holds characters that are not text, or a name that no field can have.');
}

/** Nested schemas count as levels, because readers nest in the same way. */
function requireHarmless(schema: JsonValue, depth = 1): void {
  if (!isJsonObject(schema)) return;
  if (depth > MAX_SCHEMA_DEPTH)
    throw new BadSchema(`The schema must be at most ${MAX_SCHEMA_DEPTH} levels deep.`);
  for (const [keyword, value] of Object.entries(schema)) {
    if (naming.has(keyword)) throw new BadSchema(`The keyword ${keyword} is not known here.`);
    patternsOf(keyword, value).forEach(requireLinear);
    for (const inner of schemasOf(keyword, value)) requireHarmless(inner, depth + 1);
  }
}

function requireLinear(pattern: string): void {
  try {
    linearPattern(pattern);
  } catch (error) {
    throw error instanceof UnusablePattern ? new BadSchema(error.message, { cause: error }) : error;
  }
}
