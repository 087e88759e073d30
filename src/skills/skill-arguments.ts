import type { ErrorObject } from 'ajv/dist/2020.js';
import { argumentSchemas } from '@palabre/json-schema';
import {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_ARGUMENT_LEVELS,
} from '@palabre/json';

import { SkillError } from './skill.js';

const MAX_ERRORS = 10;
const MAX_NAMED = 80;
/** Integers of fewer digits are safe. Only where there is one, each value is looked at, which takes ten times as long. */
const LARGE_INTEGER = /\d{16}/;

/** Why `text` is not a JSON object that fits `schema`, in words for the model; null: it fits. */
export function faultIn(text: string, schema: JsonObject): string | null {
  try {
    readArguments(text, schema);
    return null;
  } catch (error) {
    if (error instanceof SkillError) return error.message;
    throw error;
  }
}

/** The arguments a model wrote, as a JSON object that fits `schema`. Throws SkillError in words the model can act upon. */
export function readArguments(text: string, schema: JsonObject): JsonObject {
  const value = parseArguments(text);
  if (!value)
    throw new SkillError(
      `The arguments are not a JSON object of at most ${MAX_ARGUMENT_LEVELS} levels. Call the skill again with valid JSON.`,
    );
  const fault = faultOf(value, schema);
  if (fault === null) return value;
  const given = withoutNulls(value, schema);
  if (given === null) throw new SkillError(fault);
  return given;
}

/**
 * The arguments without the nulls that the schema refuses; null: they still do not fit. Some APIs make models name
 * every parameter, and models write null for what they leave out.
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

/** Removes the member of an object that a JSON Pointer leads to; an element of a list stays. */
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

/** Why `input` does not fit `schema`; null: it does. */
export function faultOf(input: JsonObject, schema: JsonObject): string | null {
  const mismatch = mismatchOf(input, schema);
  return mismatch && `The arguments do not fit the skill's parameters: ${mismatch}.`;
}

/** Why what a person gave does not fit `schema`; null: it does. */
export function misfitOf(value: JsonValue, schema: JsonObject): string | null {
  const mismatch = mismatchOf(value, schema);
  return mismatch && `This does not fit the schema of what was asked: ${mismatch}.`;
}

/** What of `value` does not fit `schema`, in a list; null: all does. */
export function mismatchOf(value: JsonValue, schema: JsonObject): string | null {
  const validate = argumentSchemas.validatorOf(schema);
  return validate(value) ? null : inWords(validate.errors ?? []);
}

/**
 * The JSON object that a model wrote; empty text is an empty object. Null: it is no object, or nested too deep.
 * Integers that JavaScript would round become strings, so that identifiers stay what they are.
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

/** The same, to be shown: empty where it is none. */
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

function inWords(errors: readonly ErrorObject[]): string {
  return errors.slice(0, MAX_ERRORS).map(oneInWords).join('; ');
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
