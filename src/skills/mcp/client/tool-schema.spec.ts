import { BadSchema } from '@palabre/json-schema';
import type { JsonObject } from '@palabre/json';

import { usableSchema } from './tool-schema.js';

function withProperty(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { it: schema } };
}
function propertyOf(schema: JsonObject): unknown {
  return (usableSchema(withProperty(schema)).properties as JsonObject).it;
}

function nested(depth: number): JsonObject {
  return depth === 0 ? { type: 'string' } : withProperty(nested(depth - 1));
}

describe('the schema of a tool', () => {
  it('is read as of one dialect, and under no name of its own', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://a.example/tool',
      type: 'object',
      properties: {
        id: { type: 'string', $id: 'x' },
        at: { items: [{ type: 'string' }], additionalItems: false },
      },
      required: ['id'],
    };
    expect(usableSchema(schema)).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, at: { prefixItems: [{ type: 'string' }], items: false } },
      required: ['id'],
    });
  });

  it('may leave out that it is of an object', () => {
    expect(usableSchema({})).toEqual({ type: 'object' });
  });

  it('takes names by a pattern, which the server checks', () => {
    const number = { type: 'number' };
    const named = (patternProperties: JsonObject, more: JsonObject = {}): unknown =>
      propertyOf({ type: 'object', patternProperties, ...more });
    expect(named({ '^x-': number }, { additionalProperties: false })).toEqual({
      type: 'object',
      additionalProperties: number,
    });
    const others: JsonObject[] = [
      {},
      { additionalProperties: { type: 'string' } },
      { unevaluatedProperties: false },
    ];
    for (const more of others) {
      expect(named({ '^x-': number }, more)).toEqual({ type: 'object' });
    }
    const two = named({ '^x-': number, '^y-': {} }, { additionalProperties: false });
    expect(two).toEqual({ type: 'object' });
  });

  it('may say nothing by null', () => {
    const schema = { type: 'object', description: null, required: null, properties: null };
    expect(usableSchema(schema)).toEqual({ type: 'object' });
    expect(propertyOf({ ...schema, default: null })).toEqual({ type: 'object', default: null });
  });

  it('keeps data as it is', () => {
    const schema = { enum: [{ $id: 'kept', pattern: '(a+)+' }], default: { id: 7 } };
    expect(propertyOf(schema)).toEqual(schema);
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['a list', []],
    ['of another type', { type: 'array' }],
    ['no JSON Schema', { type: 'object', required: 'all' }],
    ['too large', { type: 'object', description: 'x'.repeat(70_000) }],
    ['too deep', nested(20)],
    ['of another place', withProperty({ $ref: 'https://a.example/schema' })],
    ['of a place that is not there', withProperty({ $ref: '#/$defs/none' })],
    ['of an anchor', withProperty({ $ref: '#none' })],
    ['of a name of all objects', withProperty({ $ref: '#/constructor' })],
  ])('is refused when it is %s', (_, schema) => {
    expect(() => usableSchema(schema)).toThrow(BadSchema);
  });

  it('may ask for an argument as a header, in the right way', () => {
    const asking = (at: string, more: JsonObject = {}) => ({ type: 'string', 'x-mcp-header': at, ...more });
    const right = { type: 'object', properties: { a: asking('Region'), b: withProperty(asking('Zone')) } };
    expect(usableSchema(right)).toEqual(right);
    for (const wrong of [
      { properties: { a: asking('Region'), b: asking('region') } },
      { properties: { a: asking('two words') } },
      { properties: { a: asking('Region', { type: 'number' }) } },
      { properties: { a: { type: 'array', items: asking('Region') } } },
      { 'x-mcp-header': 'Region' },
    ]) {
      expect(() => usableSchema(wrong)).toThrow('asks for headers');
    }
  });

  it('may refer to itself', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    };
    expect(usableSchema(tree)).toEqual(tree);
  });

  it('is refused when following it would never end', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `l${level}`,
        level === 29 ? {} : { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    );
    const schema = { ...withProperty({ $ref: '#/$defs/l0' }), $defs: doubling };
    expect(() => usableSchema(schema)).toThrow('too intricate');
    const again = withProperty({ allOf: [{ $ref: '#' }, { $ref: '#' }] });
    expect(() => usableSchema(again)).toThrow('too intricate');
  });

  it('may be null, as OpenAPI says it', () => {
    expect(propertyOf({ type: 'string', nullable: true })).toEqual({ type: ['string', 'null'] });
    const either = { anyOf: [{ type: 'string' }, { type: 'number' }] };
    expect(propertyOf({ ...either, nullable: true })).toEqual({ anyOf: [either, { type: 'null' }] });
  });

  it('is refused when it cannot be compiled', () => {
    const properties = { a: { default: { type: 'text' } }, b: { $ref: '#/properties/a/default' } };
    expect(() => usableSchema({ type: 'object', properties })).toThrow('is not JSON Schema');
  });

  it('is refused when to compile it would take long', () => {
    const many = (count: number): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string' }]),
      ),
    });
    expect(usableSchema(many(300))).toEqual(many(300));
    expect(() => usableSchema(many(700))).toThrow('too intricate');
    // What is referred to is compiled once for each way to say so.
    const referring = (...references: string[]): JsonObject => ({
      type: 'object',
      properties: { deep: many(200), more: { anyOf: references.map(($ref) => ({ $ref })) } },
    });
    const same = referring('#/properties/deep', '#/properties/deep');
    expect(usableSchema(same)).toEqual(same);
    expect(() => usableSchema(referring('#/properties/deep', '#/properties/%64eep'))).toThrow('intricate');
  });

  it.each(['^[A-Z]{2}$', '^\\d{4}-\\d{2}-\\d{2}$', '^https://.+$', '^(a+)+$', '(a|a)*b', '.*a.*b.*'])(
    'keeps the pattern %s',
    (pattern) => {
      expect(propertyOf({ type: 'string', pattern })).toEqual({ type: 'string', pattern });
    },
  );

  it.each(['^(?=.*a).*$', '(.)\\1', '['])('tells of the pattern %s, and does not check it', (pattern) => {
    expect(propertyOf({ type: 'string', pattern, description: 'Code.' })).toEqual({
      type: 'string',
      description: `Code. Pattern: ${pattern}`,
    });
  });
});
