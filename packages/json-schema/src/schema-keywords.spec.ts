import type { JsonObject } from '@palabre/json';
import { MAX_PARTS, partsOf } from './schema-keywords.js';
import { lookUp } from './schema-references.js';

function parts(schema: JsonObject): number {
  return partsOf(schema, (reference) => lookUp(schema, reference));
}
function fields(count: number, field: JsonObject): JsonObject {
  return {
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, field])),
  };
}

it.each<[number, JsonObject]>([
  [1, {}],
  [2, { type: 'object' }],
  [2, { type: 'object', title: 'T', description: 'Words.', default: { type: { a: 1 } } }],
  [6, { properties: { a: { type: 'string' }, b: {} }, required: ['a', 'b', 'c'] }],
  [6, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  // A definition with references is compiled once, and without any, never.
  [8, { $defs: { A: { type: 'string' }, B: { maxLength: 1 } }, ...fields(2, { $ref: '#/$defs/A' }) }],
])('there are %d parts in %j', (expected, schema) => {
  expect(parts(schema)).toBe(expected);
});

it('there are too many in many fields, and in names that each repeat all of them', () => {
  expect(parts(fields(300, { type: 'string' }))).toBeLessThanOrEqual(MAX_PARTS);
  expect(parts(fields(700, { type: 'string' }))).toBeGreaterThan(MAX_PARTS);
  const names = Array.from({ length: 400 }, (_, index) => `f${index}`);
  expect(parts({ dependentRequired: { a: names } })).toBeGreaterThan(MAX_PARTS);
});

it('is not gone through to its end when it is too long', () => {
  let followed = 0;
  const endless = (reference: string): JsonObject => {
    followed += 1;
    return { $ref: `${reference}x` };
  };
  expect(partsOf({ $ref: '#' }, endless)).toBeGreaterThan(MAX_PARTS);
  expect(followed).toBeLessThanOrEqual(MAX_PARTS);
});
