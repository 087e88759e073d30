import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import { faultOfSchema } from './company-schema.js';

const MAX_FIELDS = 30;
const SCALARS: ReadonlySet<JsonValue | undefined> = new Set(['string', 'number', 'integer', 'boolean']);

/** Why a front end cannot show a form for the schema (as in MCP's elicitation). Null: it can. */
export function faultOfFlatSchema(schema: JsonObject): string | null {
  const { properties, required = [] } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0)
    return 'The schema must be of type object, with a property for each thing to be asked.';
  const fields = Object.entries(properties);
  if (fields.length > MAX_FIELDS) return `The schema must have at most ${MAX_FIELDS} properties.`;
  const [nested] = fields.find(([, field]) => !isFlat(field)) ?? [];
  if (nested !== undefined)
    return `The property ${nested} must be a string, number, integer or boolean, an enum, or an array of an enum's strings.`;
  const fault = faultOfSchema(schema);
  if (fault !== null) return fault;
  const missing = (required as string[]).find((name) => !Object.hasOwn(properties, name));
  return missing === undefined ? null : `The property ${missing} is required, but not among the properties.`;
}

function isFlat(field: JsonValue): boolean {
  if (!isJsonObject(field)) return false;
  const { type, items, enum: choices } = field;
  if (type === 'array') return isJsonObject(items) && hasChoices(items);
  return type === undefined ? Array.isArray(choices) && choices.every(isScalar) : SCALARS.has(type);
}

/** MCP has two forms: plain, and with titles. */
function hasChoices({ enum: choices, anyOf, oneOf }: JsonObject): boolean {
  return [choices, anyOf, oneOf].some(Array.isArray);
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
