import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import { isTooMuchToCheck } from './check-cost.js';
import { MAX_PATTERN_SIZE, patternSize } from './pattern-size.js';

const MAX_CACHED = 2_000;
const MAX_CACHED_CHARACTERS = 20_000_000;
const RENEW_AFTER = 500;

/** Checks a value. Keeps the errors of the last failed check. */
export interface Validator {
  (value: JsonValue): boolean;
  errors?: ErrorObject[] | null | undefined;
}

/** Compiles each schema once, because companies and servers send the same ones repeatedly. */
export class SchemaCompiler {
  private ajv: Ajv2020;
  private compiled = 0;
  private readonly known = new WeakMap<JsonObject, Validator>();
  /** Keyed by the schema's JSON, because each read from a row or server gives a new object. */
  private readonly same = new LRUCache<string, Validator>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, json) => json.length,
  });

  constructor(private readonly options: Options) {
    this.ajv = newAjv(options);
  }

  /** Throws Ajv's error for an invalid schema (JSON Schema 2020-12). */
  validatorOf(schema: JsonObject): Validator {
    const known = this.known.get(schema);
    if (known) return known;
    const json = JSON.stringify(schema, inOrder);
    const validate = this.same.get(json) ?? this.compile(schema);
    this.same.set(json, validate);
    this.known.set(schema, validate);
    return validate;
  }

  private compile(schema: JsonObject): Validator {
    // Ajv keeps some memory of every schema that it has compiled, even after removal.
    if (this.compiled === RENEW_AFTER) {
      this.ajv = newAjv(this.options);
      this.compiled = 0;
    }
    this.compiled += 1;
    try {
      return withinCost(schema, this.ajv.compile(schema));
    } finally {
      this.ajv.removeSchema(schema);
    }
  }
}

/** Rejects values whose check would take too long, or whose errors would fill the memory. */
function withinCost(schema: JsonObject, check: Validator): Validator {
  const validate: Validator = (value) => {
    const isValid = isTooMuchToCheck(schema, value) ? null : checkedBy(check, value);
    validate.errors = isValid === null ? [TOO_MUCH] : check.errors;
    return isValid ?? false;
  };
  return validate;
}

/** Null: a schema that contains itself nested deeper than the stack allows. */
function checkedBy(check: Validator, value: JsonValue): boolean | null {
  try {
    return check(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const TOO_MUCH: ErrorObject = {
  keyword: '',
  instancePath: '',
  schemaPath: '',
  params: {},
  message: 'has more in it than can be checked: it must be smaller, or its schema simpler',
};

function newAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allowUnionTypes: true,
    logger: false,
    // Properties of an object's class, such as constructor, do not count.
    ownProperties: true,
    // A too large number becomes Infinity here, and null once stored.
    strictNumbers: true,
    // A schema with a hundred references to it is compiled once.
    inlineRefs: false,
    // Patterns must match in linear time. Optimising the code takes longer than everything else.
    code: { regExp: linearPatterns, optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  // RFC 3339 demands an offset. Services such as FastAPI accept local times under this format, and an invented offset
  // would change the hour.
  for (const name of ['time', 'date-time']) ajv.addFormat(name, ajv.formats[`iso-${name}`] ?? true);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isAsked: boolean, items: readonly JsonValue[]) => !isAsked || arePlainItemsUnique(items),
  });
  // Ajv's own check divides, so 19.99 is not a multiple of 0.01.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: ({ schema }) => `must be multiple of ${schema}` },
    validate: (step: number, value: number) => isMultipleOf(value, step),
  });
  return ajv;
}

/** Objects and lists are not compared: that is quadratic. */
function arePlainItemsUnique(items: readonly JsonValue[]): boolean {
  const plain = items.filter((item) => typeof item !== 'object' || item === null);
  return new Set(plain).size === plain.length;
}

/** A jsonb column changes the order of fields. */
function inOrder(_: string, value: unknown): unknown {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Compares decimal digits: 19.99 is a multiple of 0.01, although the quotient is 1998.9999999999998. */
export function isMultipleOf(value: number, step: number): boolean {
  const [whole, part] = [decimalOf(value), decimalOf(step)];
  if (!whole || !part) return false;
  const exponent = Math.min(whole.exponent, part.exponent);
  return scaled(whole, exponent) % scaled(part, exponent) === 0n;
}

interface Decimal {
  digits: bigint;
  exponent: number;
}

/** The number without sign, as digits × 10^exponent. Null: infinite. */
function decimalOf(number: number): Decimal | null {
  const [found, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(String(number)) ?? [];
  if (found === undefined) return null;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

const MAX_PATTERN_CHARACTERS = 1_000;

/** A pattern that cannot be used. The message is for its author. */
export class UnusablePattern extends Error {
  override readonly name = 'UnusablePattern';
}

/** Compiles a pattern that matches in linear time, without look-around and back references. Throws UnusablePattern. */
export function linearPattern(pattern: string): { test(text: string): boolean } {
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    throw new UnusablePattern(`A pattern is at most ${MAX_PATTERN_CHARACTERS} characters long.`);
  // Matchers expand counted repetitions: a short pattern can take seconds to read, and minutes to match.
  if (patternSize(pattern) > MAX_PATTERN_SIZE) {
    throw new UnusablePattern(
      `The pattern ${pattern} repeats too much: with its counted repetitions written out, it has at most ${MAX_PATTERN_SIZE} steps.`,
    );
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new UnusablePattern(
      `The pattern ${pattern} is not valid, or has look-around or back references, which are not known here.`,
      { cause: error },
    );
  }
}

/** For Ajv's option `code.regExp`. */
export const linearPatterns = Object.assign(linearPattern, { code: 'linearPattern' });

/** For arguments: reports all errors, with the allowed values. */
export const argumentSchemas = new SchemaCompiler({ allErrors: true, verbose: true });
