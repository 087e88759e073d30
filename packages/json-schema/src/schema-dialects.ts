import type { JsonObject } from '@palabre/json';

/** Rewrites keywords of OpenAPI 3.0 and early drafts as JSON Schema 2020-12. Does not descend into sub-schemas. */
export function toDraft2020({ nullable, ...given }: JsonObject): JsonObject {
  const schema = { ...given };
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const bound = schema[limit];
    if (typeof schema[flag] !== 'boolean') continue;
    const isExclusive = schema[flag];
    delete schema[flag];
    if (!isExclusive || bound === undefined) continue;
    schema[flag] = bound;
    delete schema[limit];
  }
  return nullable === true ? orNull(schema) : schema;
}

function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (Object.keys(schema).length === 0) return schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const choices = Array.isArray(schema.enum) && !schema.enum.includes(null) ? [...schema.enum, null] : null;
  return { ...schema, ...(choices && { enum: choices }), type: [type, 'null'] };
}
