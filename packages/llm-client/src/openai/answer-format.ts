import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

/** Strict if providers can enforce the schema, else a wish. */
export function answerFormat(schema: JsonObject): { name: string; schema: JsonObject; strict: boolean } {
  return { name: 'answer', schema, strict: isStrict(schema) };
}

/** OpenAI enforces no others. */
const strictKeywords = new Set(
  (
    'type properties required additionalProperties items anyOf enum const title description pattern multipleOf ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'
  ).split(' '),
);
const MAX_STRICT_DEPTH = 5;

/** Whether each object requires all its properties and allows no others, and all keywords are known. */
function isStrict(schema: JsonValue, depth = 1): boolean {
  if (!isJsonObject(schema) || depth > MAX_STRICT_DEPTH) return false;
  const { properties, required, items = [], anyOf } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const isObject = [schema['type']].flat().includes('object') || properties !== undefined;
  if (isObject && schema['additionalProperties'] !== false) return false;
  if (isObject && !names.every((name) => Array.isArray(required) && required.includes(name))) return false;
  if (!Object.keys(schema).every((keyword) => strictKeywords.has(keyword))) return false;
  const inner = [
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(items) ? items : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  return inner.every((one) => isStrict(one, depth + 1));
}
