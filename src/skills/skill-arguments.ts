import type { ErrorObject } from 'ajv/dist/2020.js';
import { argumentSchemas } from '@palabre/json-schema';
import {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_ARGUMENT_LEVELS,
} from '@palabre/json';

import { ArgumentsError } from './skill.js';

const MAX_ERRORS = 10;
const MAX_NAMED = 80;
/** Shorter integers are safe. Values are examined only if there is such a number, which takes ten times as long. */
const LARGE_INTEGER = /\d{16}/;

/** Why `text` is not a JSON object that fits `schema`, for the model. Null: it fits. */
export function faultIn(text: string, schema: JsonObject): string | null {
  try {
    readArguments(text, schema);
    return null;
  } catch (error) {
    if (error instanceof ArgumentsError) return error.message;
    throw error;
  }
}

/** The model's arguments as a JSON object that fits `schema`. Throws ArgumentsError in words for the model. */
export function readArguments(text: string, schema: JsonObject): JsonObject {
  const value = parseArguments(text);
  if (!value)
    throw new ArgumentsError(
      `The arguments are not a JSON object of at most ${MAX_ARGUMENT_LEVELS} levels. Call the skill again with valid JSON.`,
    );
  const fault = faultOf(value, schema);
  if (fault === null) return value;
  const given = withoutNulls(value, schema);
  if (given === null) throw new ArgumentsError(fault);
  return given;
}

/**
 * The arguments without nulls that the schema refuses. Null: they still do not fit. Some APIs require every
 * parameter, and models write null for omitted ones.
 */
function withoutNulls(input: JsonObject, schema: JsonObject): JsonObject | null {
  const validate = argumentSchemas.validatorOf(schema);
  validate(input);
  const refused = (validate.errors ?? []).filter(({ data }) => data === null);
  if (refused.length === 0) return null;
  const given = structuredClone(input);
  for (const { instancePath } of refused) remove(given, instancePath);
  return validate(given) ? given : null;
}

/** Removes the object member at a JSON Pointer. Elements of lists stay. */
function remove(whole: JsonObject, pointer: string): void {
  const keys = pointer.split('/').slice(1).map(unescaped);
  const last = keys.pop();
  let parent: JsonValue | undefined = whole;
  for (const key of keys) {
    if (typeof parent !== 'object' || parent === null) return;
    parent = (parent as Record<string, JsonValue>)[key];
  }
  if (isJsonObject(parent) && last !== undefined) delete parent[last];
}

/** RFC 6901. */
function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Why `input` does not fit `schema`. Null: it fits. */
export function faultOf(input: JsonObject, schema: JsonObject): string | null {
  const mismatch = mismatchOf(input, schema);
  return mismatch && `The arguments do not fit the skill's parameters: ${mismatch}.`;
}

/** Why a person's value does not fit `schema`. Null: it fits. */
export function misfitOf(value: JsonValue, schema: JsonObject): string | null {
  const mismatch = mismatchOf(value, schema);
  return mismatch && `This does not fit the schema of what was asked: ${mismatch}.`;
}

/** Lists where `value` does not fit `schema`. Null: it fits. */
export function mismatchOf(value: JsonValue, schema: JsonObject): string | null {
  const validate = argumentSchemas.validatorOf(schema);
  return validate(value) ? null : (validate.errors ?? []).slice(0, MAX_ERRORS).map(oneInWords).join('; ');
}

/**
 * The JSON object that a model wrote. Empty text is an empty object. Null: not an object, or nested too deep.
 * Integers that JavaScript would round become strings, so that identifiers stay the same.
 */
export function parseArguments(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = LARGE_INTEGER.test(text) ? JSON.parse(text, keepLargeInteger) : JSON.parse(text);
    return isJsonObject(value) && !isDeeperThan(value, MAX_ARGUMENT_LEVELS) ? value : null;
  } catch {
    return null;
  }
}

/** The same for display. Empty: not an object. */
export function shownArguments(text: string): JsonObject {
  return parseArguments(text) ?? {};
}

function keepLargeInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !source || !isDigits(source)) return value;
  // Beyond Number.MAX_VALUE the value is Infinity, which BigInt refuses.
  return Number.isFinite(value) && BigInt(source) === BigInt(value) ? value : source;
}

function isDigits(text: string): boolean {
  return /^-?\d+$/.test(text);
}

function oneInWords({ instancePath, message, params, parentSchema, data }: ErrorObject): string {
  const where = instancePath === '' ? 'the whole' : instancePath.slice(1).replaceAll('/', '.');
  const allowed = 'allowedValues' in params ? ` (${listOf(params.allowedValues as readonly unknown[])})` : '';
  const extra =
    'additionalProperty' in params
      ? ` (${String(params.additionalProperty)}); there are ${listOf(Object.keys((parentSchema?.properties ?? {}) as object)) || 'none'}`
      : '';
  const isTooLarge =
    /\b(?:integer|number)\b/.test(String(params.type)) &&
    typeof data === 'string' &&
    isDigits(data) &&
    !Number.isSafeInteger(Number(data));
  const limit = isTooLarge ? ` of at most ${Number.MAX_SAFE_INTEGER}: a larger one would be rounded` : '';
  return `${where} ${message ?? 'is not valid'}${limit}${allowed}${extra}`;
}

function listOf(values: readonly unknown[]): string {
  return values.slice(0, MAX_NAMED).join(', ');
}
