import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject, JsonValue } from '../../../common/json.js';

const remembered = 100;
const validators = new Map<string, ValidateFunction | null>();

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
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known !== undefined) return known;
  const oldest = validators.size >= remembered ? validators.keys().next().value : undefined;
  if (oldest !== undefined) validators.delete(oldest);
  const validator = compile(schema);
  validators.set(key, validator);
  return validator;
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

function without(value: JsonObject, place: { name: string; index: number | null }): JsonObject {
  const list: JsonValue | undefined = value[place.name];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== place.name) return [[name, item]];
      if (!Array.isArray(list) || place.index === null || list.length === 1) return [];
      return [[name, list.filter((_, at) => at !== place.index)]];
    }),
  );
}

/** Takes out what does not fit the schema. `fits` is false when what is left still does not. */
export function fitToSchema(value: JsonObject, schema: JsonObject): { value: JsonObject; fits: boolean } {
  const validate = validatorOf(schema);
  if (!validate) return { value, fits: true };
  let rest = value;
  for (;;) {
    if (validate(rest)) return { value: rest, fits: true };
    const place = (validate.errors ?? []).map(placeOf).find((each) => each && Object.hasOwn(rest, each.name));
    if (!place) return { value: rest, fits: false };
    rest = without(rest, place);
  }
}
