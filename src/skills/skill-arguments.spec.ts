import fc from 'fast-check';
import type { JsonObject } from '@palabre/json';

import { parseArguments, readArguments } from './skill-arguments.js';
import { SkillError } from './skill.js';

const schema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['country'],
  properties: {
    country: { type: 'string', pattern: '^[A-Z]{2}$' },
    unit: { enum: ['kWh', 'MWh'] },
    items: {
      type: 'array',
      items: { type: 'object', required: ['amount'], properties: { amount: { type: 'number', minimum: 0 } } },
    },
  },
};

function messageOf(text: string, parameters = schema): string {
  try {
    readArguments(text, parameters);
  } catch (error) {
    if (error instanceof SkillError) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('the arguments a model wrote', () => {
  it('are read when they fit', () => {
    const input = { country: 'SN', items: [{ amount: 1 }] };
    expect(readArguments(JSON.stringify(input), schema)).toEqual(input);
  });

  it('keep all digits of an integer, or are refused', () => {
    const id = (type: JsonObject['type']): JsonObject => ({ type: 'object', properties: { id: { type } } });
    const text = '{"id": 1234567890123456789}';
    expect(messageOf(text, id('integer'))).toBe(
      "The arguments do not fit the skill's parameters: id must be integer of at most 9007199254740991: a larger one would be rounded.",
    );
    expect(readArguments(text, id(['integer', 'string']))).toEqual({ id: '1234567890123456789' });
    expect(
      readArguments('{"id": 9007199254740992, "x": [1e20, 0.12345678901234567891]}', id('integer')),
    ).toEqual({ id: 9_007_199_254_740_992, x: [1e20, 0.123_456_789_012_345_68] });
    expect(parseArguments(`{"id": 1${'0'.repeat(400)}}`)).toEqual({ id: `1${'0'.repeat(400)}` });
  });

  it.each<[string, JsonObject]>([
    ['{"country":"SN","unit":null}', { country: 'SN' }],
    ['{"country":"SN","items":null,"unit":"kWh"}', { country: 'SN', unit: 'kWh' }],
    ['{"country":"SN","items":[{"amount":1,"note":null}]}', { country: 'SN', items: [{ amount: 1 }] }],
    ['{"country":"SN","any":null}', { country: 'SN', any: null }],
  ])('have nothing where they have a null that the schema refuses: %s', (text, expected) => {
    const note = { type: 'object', required: ['amount'], properties: { note: { type: 'string' } } };
    const properties = {
      ...(schema.properties as JsonObject),
      items: { type: 'array', items: note },
      any: {},
    };
    expect(readArguments(text, { ...schema, properties })).toEqual(expected);
  });

  it.each(['{"country":null}', '{"country":"SN","items":[null]}', '{"country":"SN","unit":null,"x":1}'])(
    'are refused with all that is wrong where it is more than that: %s',
    (text) => {
      expect(messageOf(text)).toContain('do not fit');
    },
  );

  it.each(['', '  \n'])('are empty when there are none (%j)', (text) => {
    expect(readArguments(text, { type: 'object' })).toEqual({});
  });

  it.each(['{', '{"country":"SN"', '[]', 'null', '"SN"', '3', 'country: SN', '{"country":"SN"}}'])(
    '%s are no JSON object',
    (text) => {
      expect(messageOf(text)).toContain('not a JSON object');
      expect(parseArguments(text)).toBeNull();
    },
  );

  it('takes objects of 100 levels, and none of more', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    expect(parseArguments(nested(100))).not.toBeNull();
    expect(parseArguments(nested(101))).toBeNull();
    expect(parseArguments(nested(2_000))).toBeNull();
  });

  it.each([
    ['{}', "must have required property 'country'"],
    ['{"country":"Sénégal"}', 'country must match pattern'],
    ['{"country":7}', 'country must be string'],
    ['{"country":"SN","unit":"GWh"}', 'unit must be equal to one of the allowed values (kWh, MWh)'],
    [
      '{"country":"SN","pays":"SN"}',
      'must NOT have additional properties (pays); there are country, unit, items',
    ],
    ['{"country":"SN","items":[{"amount":1},{"amount":-1}]}', 'items.1.amount must be >= 0'],
  ])('%s do not fit, and the model is told: %s', (text, words) => {
    expect(messageOf(text)).toContain(words);
  });

  it('tell of everything that is wrong, up to ten things', () => {
    expect(messageOf('{"country":"x","unit":"y"}')).toMatch(/country .*; unit /);
    const items = Array.from({ length: 50 }, () => ({ amount: 'x' }));
    expect(messageOf(JSON.stringify({ country: 'SN', items })).split(';')).toHaveLength(10);
  });

  it('are an object or nothing, whatever the model wrote', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const value = parseArguments(text);
        expect(value === null || (typeof value === 'object' && !Array.isArray(value))).toBe(true);
      }),
    );
  });
});
