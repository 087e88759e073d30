import type { ErrorObject } from 'ajv/dist/2020.js';

import type { JsonObject, JsonValue } from '../common/json.js';
import { argumentSchemas } from './schema/compiled-schema.js';
import { SkillError } from './skill.js';

const MOST_ERRORS = 10;
const MOST_NAMED = 80;

/** The arguments a model wrote, as a JSON object that fits `schema`. Throws SkillError in words the model can act upon. */
export const readArguments = (text: string, schema: JsonObject): JsonObject => {
  const value = parseArguments(text);
  if (!value)
    throw new SkillError('The arguments are not a JSON object. Call the skill again with valid JSON.');
  const fault = faultOf(value, schema);
  if (fault !== null) throw new SkillError(fault);
  return value;
};

/** Why `input` does not fit `schema`; null: it does. */
export const faultOf = (input: JsonObject, schema: JsonObject): string | null => {
  const validate = argumentSchemas.validatorOf(schema);
  if (validate(input)) return null;
  return `The arguments do not fit the skill's parameters: ${inWords(validate.errors ?? [])}.`;
};

/** The JSON object that a model wrote, nothing at all counting as an empty one; null when it is none. */
export const parseArguments = (text: string): JsonObject | null => {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const inWords = (errors: readonly ErrorObject[]): string =>
  errors.slice(0, MOST_ERRORS).map(oneInWords).join('; ');

const oneInWords = ({ instancePath, message, params, parentSchema }: ErrorObject): string => {
  const where = instancePath === '' ? 'the whole' : instancePath.slice(1).replaceAll('/', '.');
  const allowed = 'allowedValues' in params ? ` (${listOf(params.allowedValues as readonly unknown[])})` : '';
  const extra =
    'additionalProperty' in params
      ? ` (${String(params.additionalProperty)}); there are ${listOf(Object.keys((parentSchema?.properties ?? {}) as object)) || 'none'}`
      : '';
  return `${where} ${message ?? 'is not valid'}${allowed}${extra}`;
};

const listOf = (values: readonly unknown[]): string => values.slice(0, MOST_NAMED).join(', ');
