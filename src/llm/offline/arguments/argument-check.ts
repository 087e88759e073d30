import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject, JsonValue } from '../../../common/json.js';

const remembered = 100;
const validators = new Map<string, ValidateFunction | null>();
/** Within one request a schema is asked for again and again, and is long to write out. */
const lately = new WeakMap<JsonObject, ValidateFunction | null>();

function compile(schema: JsonObject): ValidateFunction | null {
  try {
    // An instance for each schema: two tools may use one $id.
    const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true });
    addFormats.default(ajv);
    // A tool may name an older draft; the words it uses are read alike.
    return ajv.compile(Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema')));
  } catch {
    return null; // a schema that cannot be compiled is the server's to refuse, as with any model
  }
}

function validatorOf(schema: JsonObject): ValidateFunction | null {
  const latest = lately.get(schema);
  if (latest !== undefined) return latest;
  const validator = knownValidator(schema);
  lately.set(schema, validator);
  return validator;
}

function knownValidator(schema: JsonObject): ValidateFunction | null {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known !== undefined) return known;
  const oldest = validators.size >= remembered ? validators.keys().next().value : undefined;
  if (oldest !== undefined) validators.delete(oldest);
  const validator = compile(schema);
  validators.set(key, validator);
  return validator;
}

/** An argument that does not fit, or only some elements of one that is a list. */
interface Misfit {
  name: string;
  /** Empty: the argument as a whole. */
  elements: Set<number>;
}

/** The argument, or the element of a list, that an error is about. */
function placeOf(error: ErrorObject): { name: string; index: number | null } | null {
  const [name, index] = error.instancePath.split('/').slice(1);
  const extra: unknown = error.params['additionalProperty'];
  if (name === undefined) return typeof extra === 'string' ? { name: extra, index: null } : null;
  return {
    name: name.replaceAll('~1', '/').replaceAll('~0', '~'),
    index: /^\d+$/.test(index ?? '') ? Number(index) : null,
  };
}

/** The first argument with an error, with all of its elements that have one. */
function firstMisfit(errors: readonly ErrorObject[], value: JsonObject): Misfit | null {
  const places = errors.map(placeOf).filter((place) => place !== null && Object.hasOwn(value, place.name));
  const [first] = places;
  if (!first) return null;
  const indexes = places.filter((place) => place?.name === first.name).map((place) => place?.index ?? null);
  const whole = indexes.includes(null);
  return { name: first.name, elements: new Set(whole ? [] : indexes.filter((index) => index !== null)) };
}

function without(value: JsonObject, { name, elements }: Misfit): JsonObject {
  const { [name]: list, ...rest } = value;
  if (!Array.isArray(list) || elements.size === 0) return rest;
  const fitting: JsonValue[] = list.filter((_, at) => !elements.has(at));
  return fitting.length === 0 ? rest : { ...value, [name]: fitting };
}

function isFitting(validate: ValidateFunction, value: JsonObject): boolean {
  try {
    return validate(value);
  } catch (error) {
    // A schema that refers to itself and nothing else never ends; like one that cannot be compiled, it checks nothing.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Takes out what does not fit the schema. `fits` is false when what is left still does not. */
export function fitToSchema(value: JsonObject, schema: JsonObject): { value: JsonObject; fits: boolean } {
  const validate = validatorOf(schema);
  if (!validate) return { value, fits: true };
  let rest = value;
  for (;;) {
    if (isFitting(validate, rest)) return { value: rest, fits: true };
    const misfit = firstMisfit(validate.errors ?? [], rest);
    if (!misfit) return { value: rest, fits: false };
    rest = without(rest, misfit);
  }
}
