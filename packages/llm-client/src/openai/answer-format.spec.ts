import type { JsonObject } from '@palabre/json';

import { answerFormat } from './answer-format.js';

function objectOf(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  };
}

it.each<[string, JsonObject, boolean]>([
  ['all of whose properties are required', objectOf({ a: { type: 'string', pattern: '^a' } }), true],
  [
    'in lists and choices',
    objectOf({ a: { anyOf: [{ type: 'null' }, { type: 'array', items: objectOf({}) }] } }),
    true,
  ],
  ['whose values look like keywords', objectOf({ minLength: { enum: ['allOf'] } }), true],
  ['with a property that may be missing', objectOf({ a: {} }, { required: [] }), false],
  ['with room for others', objectOf({}, { additionalProperties: true }), false],
  ['with an object inside that has room for others', objectOf({ a: { type: 'object' } }), false],
  ['with an object or nothing inside', objectOf({ a: { type: ['object', 'null'] } }), false],
  ['with a keyword that is not taken', objectOf({ a: { type: 'string', minLength: 1 } }), false],
  [
    'that is too deep',
    objectOf({ a: objectOf({ a: objectOf({ a: objectOf({ a: objectOf({ a: {} }) }) }) }) }),
    false,
  ],
])('a schema %s', (_, schema, strict) => {
  expect(answerFormat(schema)).toEqual({ name: 'answer', schema, strict });
});
