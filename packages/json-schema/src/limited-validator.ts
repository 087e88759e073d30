import type { ErrorObject } from 'ajv/dist/2020.js';

import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

/** Says whether a value fits its schema, and afterwards what of it does not. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null | undefined;
}

/**
 * How often definitions are gone by while a value is checked. A definition that contains itself twice in one place
 * doubles the work with every level of the value.
 */
const MAX_VISITS = 100_000;
/** While all errors are listed, those in branches that were never meant among them. */
const MAX_LISTING_VISITS = 1_000;
const VISIT = 'x-visit';

/** A check runs to its end before another begins. */
let visitsLeft = 0;

/** For Ajv's `addKeyword`. */
export const visitKeyword = {
  keyword: VISIT,
  validate: (): boolean => {
    visitsLeft -= 1;
    if (visitsLeft < 0) throw new RangeError('The value takes too many steps to check.');
    return true;
  },
};

/** The schema with definitions that count how often they are gone by; null: it has none. */
export function withVisits(schema: JsonObject): JsonObject | null {
  const { $defs } = schema;
  if (!isJsonObject($defs)) return null;
  const counting = Object.entries($defs).map(([name, inner]): [string, JsonValue] => [
    name,
    isJsonObject(inner) ? { ...inner, [VISIT]: true } : inner,
  ]);
  return { ...schema, $defs: Object.fromEntries(counting) };
}

/**
 * `quick` stops at the first error. All are listed by what `compileListing` compiles, where that is soon done. A value
 * that goes round in the definitions for too long, or deeper than the stack, does not fit.
 */
export function limited(quick: Validator, compileListing: (() => Validator) | null): Validator {
  let listing: Validator | null = null;
  const validate: Validator = (value) => {
    validate.errors = errorsOf(quick, value, MAX_VISITS) ?? [endless];
    if (validate.errors.length === 0) return true;
    if (validate.errors[0] === endless || compileListing === null) return false;
    listing ??= compileListing();
    validate.errors = errorsOf(listing, value, MAX_LISTING_VISITS) ?? validate.errors;
    return false;
  };
  return validate;
}

const endless: ErrorObject = {
  keyword: VISIT,
  instancePath: '',
  schemaPath: '#',
  params: {},
  message: 'takes too many steps to check by this schema',
};

/** Null: it takes more visits, or a deeper stack, than there may be. */
function errorsOf(validate: Validator, value: unknown, maxVisits: number): ErrorObject[] | null {
  visitsLeft = maxVisits;
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
