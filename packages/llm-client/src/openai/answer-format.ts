import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

/** What the protocols call a schema that an answer is to fit. */
interface AnswerFormat {
  name: string;
  schema: JsonObject;
  strict: boolean;
}

/** Strict where the schema is of the kind that providers can hold a model to; another one is a wish. */
export function answerFormat(schema: JsonObject): AnswerFormat {
  return { name: 'answer', schema, strict: isStrict(schema) };
}

/** OpenAI refuses to be strict about any other. */
const strictKeywords = new Set(
  (
    'type properties required additionalProperties items anyOf enum const title description pattern multipleOf ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'
  ).split(' '),
);
const MAX_STRICT_DEPTH = 5;

/** Whether each object in it has all its properties and no others, and nothing but keywords that are known. */
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
