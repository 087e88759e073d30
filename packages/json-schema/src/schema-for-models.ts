import { isJsonObject, type JsonObject } from '@palabre/json';
import { filterKeywords, mapSchemas } from './schema-keywords.js';

/** Keywords that only the check needs: they do not improve a model's arguments, and each costs tokens. */
const checkKeywords = new Set(
  '$schema $id $comment additionalProperties maxItems maxLength maxProperties minItems minLength minProperties title uniqueItems'.split(
    ' ',
  ),
);

/** A skill's schema as shown to a model. Calls are still checked by the full schema. */
export function schemaForModels(schema: JsonObject): JsonObject {
  // A schema for additional properties tells the model something; `false` does not.
  const shown = filterKeywords(
    schema,
    (keyword, value) =>
      !checkKeywords.has(keyword) || (keyword === 'additionalProperties' && isJsonObject(value)),
  );
  return mapSchemas(shown, (inner) => (isJsonObject(inner) ? schemaForModels(inner) : inner));
}
