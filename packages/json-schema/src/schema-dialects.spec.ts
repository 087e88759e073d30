import type { JsonObject } from '@palabre/json';
import { toDraft2020 } from './schema-dialects.js';

it.each<[JsonObject, JsonObject]>([
  [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    { type: 'string', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [{ enum: ['a'], nullable: true }, { anyOf: [{ enum: ['a'] }, { type: 'null' }] }],
  [{ $ref: '#/$defs/A', nullable: true }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
  [{ anyOf: [{}], nullable: true }, { anyOf: [{ anyOf: [{}] }, { type: 'null' }] }],
  [{ nullable: true }, {}],
  [{ $ref: '#/$defs/A', nullable: false }, { $ref: '#/$defs/A' }],
  [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  [{ maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
])('%j is %j today', (schema, expected) => {
  expect(toDraft2020(schema)).toEqual(expected);
});
