import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { schemaAt, schemasBy, schemasIn } from './schema-keywords.js';

/** Keywords that only the check needs: models do not write better arguments for seeing them, and each costs tokens. */
const checksAlone = new Set(
  '$schema $id $comment additionalProperties maxItems maxLength maxProperties minItems minLength minProperties title uniqueItems'.split(
    ' ',
  ),
);

/** A skill's schema as a model is shown it. What fits the schema itself is still checked when the skill is called. */
export function schemaForModels(schema: JsonObject): JsonObject {
  const shown: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // A schema for additional properties tells the model something; `false` does not.
    if (checksAlone.has(keyword) && !(keyword === 'additionalProperties' && isJsonObject(value))) continue;
    shown[keyword] = shownValue(keyword, value);
  }
  return shown;
}

function shownValue(keyword: string, value: JsonValue): JsonValue {
  if (schemasBy.has(keyword) && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shownSchema(one)]));
  if (schemasIn.has(keyword) && Array.isArray(value)) return value.map(shownSchema);
  return schemaAt.has(keyword) ? shownSchema(value) : value;
}

function shownSchema(schema: JsonValue): JsonValue {
  return isJsonObject(schema) ? schemaForModels(schema) : schema;
}
