import { Ajv2020 } from 'ajv/dist/2020.js';

import type { JsonObject, JsonValue } from '@palabre/json';
import {
  checkedSchema,
  faultOfSchema,
  MAX_SCHEMA_CHARACTERS,
  MAX_SCHEMA_DEPTH,
  standaloneSchema,
  wholeSchema,
} from './company-schema.js';
import { argumentSchemas, linearPattern, linearPatterns, UnusablePattern } from './compiled-schema.js';
import { BadSchema } from './schema-references.js';

function nested(depth: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 1; level < depth; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

function manyFields(count: number): JsonObject {
  return {
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'null' }]),
    ),
  };
}

/** Every level asks twice for the next one. */
function doubling(levels: number): JsonObject {
  return {
    type: 'object',
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        const schema: JsonObject = level + 1 < levels ? { allOf: [next, next] } : {};
        return [`d${level}`, schema];
      }),
    ),
  };
}

describe('a schema that a company wrote', () => {
  it('stands for itself afterwards', () => {
    const schema = checkedSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: {
        pet: { $ref: '#/$defs/Pet', description: 'Which.' },
        narrow: { $ref: '#/$defs/Name', maxLength: 3 },
        // A property may have the name of a keyword, and data may look like a reference.
        $ref: { type: 'string', default: { $ref: '#/nowhere' } },
      },
      $defs: {
        Name: { type: 'string', minLength: 1 },
        Pet: { type: 'object', properties: { 'a/b': { $ref: '#/$defs/Name' } } },
      },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        pet: {
          type: 'object',
          description: 'Which.',
          properties: { 'a/b': { type: 'string', minLength: 1 } },
        },
        narrow: { maxLength: 3, allOf: [{ type: 'string', minLength: 1 }] },
        $ref: { type: 'string', default: { $ref: '#/nowhere' } },
      },
    });
  });

  it('ends, also when it contains itself', () => {
    const schema = checkedSchema({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Tree' } },
      $defs: {
        Tree: { type: 'object', properties: { child: { $ref: '#/$defs/Tree', description: 'One.' } } },
      },
    });
    expect(JSON.stringify(schema)).not.toContain('$ref');
    const validate = new Ajv2020().compile(schema);
    expect(validate({ tree: { child: { child: { anything: 1 } } } })).toBe(true);
    expect(validate({ tree: { child: 'a leaf' } })).toBe(false);
    const $schema = 'http://json-schema.org/draft-07/schema#';
    expect(JSON.stringify(checkedSchema({ $schema, type: 'object', $ref: '#' }))).not.toContain('$ref');
  });

  it('is checked by whole, however deep it contains itself', () => {
    const node = {
      type: 'object',
      properties: {
        name: { $ref: '#/$defs/Name' },
        children: { type: 'array', items: { $ref: '#/$defs/No~1de' } },
      },
      required: ['name'],
      additionalProperties: false,
    };
    const $defs = { 'No/de': node, Name: { type: 'string' }, unused: { $id: 'https://a.example/' } };
    const schemas: JsonObject[] = [
      { $ref: '#/$defs/No~1de', $defs },
      { $schema: 'http://json-schema.org/draft-07/schema#', ...node, $defs },
      { type: 'object', properties: node.properties, required: ['name'], definitions: $defs, $defs },
    ];
    for (const schema of schemas) {
      const validate = argumentSchemas.validatorOf(wholeSchema(schema));
      const tree = (leaf: JsonValue): JsonValue =>
        Array.from({ length: 12 }).reduce<JsonValue>((inner) => ({ name: 'a', children: [inner] }), leaf);
      expect(validate(tree({ name: 'leaf' }))).toBe(true);
      expect(validate(tree({ name: 1 }))).toBe(false);
      expect(validate.errors).toMatchObject([{ instancePath: `${'/children/0'.repeat(12)}/name` }]);
      expect(validate(tree({}))).toBe(false);
    }
    const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    const validate = argumentSchemas.validatorOf(wholeSchema(list));
    expect(validate({ next: { next: { next: { next: {} } } } })).toBe(true);
    expect(validate({ next: { next: { next: { next: { other: 1 } } } } })).toBe(false);
  });

  it('stands whole as it stands alone where nothing contains itself', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'string' } },
    };
    expect(wholeSchema(schema)).toEqual(standaloneSchema(schema));
  });

  it('holds up nobody, although it doubles with every level of a value or never comes to an end', () => {
    const again = { properties: { a: { $ref: '#' } } };
    const doubling = argumentSchemas.validatorOf(wholeSchema({ type: 'object', allOf: [again, again] }));
    const nest = (levels: number): JsonValue =>
      Array.from({ length: levels }).reduce<JsonValue>((a) => ({ a }), 1);
    expect(doubling(nest(3))).toBe(false);
    expect(doubling({ a: { a: {} } })).toBe(true);
    expect(doubling(nest(40))).toBe(false);
    expect(doubling.errors).toMatchObject([{ message: expect.stringContaining('can be checked') }]);
    expect(doubling({ a: { a: {} } })).toBe(true);
    const endless = argumentSchemas.validatorOf(wholeSchema({ type: 'object', ...again }));
    expect(endless(nest(50_000))).toBe(false);
    const circle = { type: 'object', allOf: [{ $ref: '#/$defs/A' }], $defs: { A: { $ref: '#/$defs/A' } } };
    expect(faultOfSchema(circle)).toContain('without an end');
  });

  it('can be checked twice, and beside another of the same', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(checkedSchema(schema)).toEqual(checkedSchema(structuredClone(schema)));
  });

  it.each<[string, JsonValue]>([
    ['no object', 'string'],
    ['a list', []],
    ['of another type', { type: 'array' }],
    ['of another type by a reference', { $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }],
    ['no JSON Schema', { type: 'object', properties: { a: { type: 'text' } } }],
    ['longer than it may be', { type: 'object', description: 'a'.repeat(65_000) }],
    ['of more parts than it may have', manyFields(700)],
    ['deeper than it may be', nested(25)],
    ['deeper than a recursion goes', nested(100)],
    ['with a reference to elsewhere', { properties: { a: { $ref: 'https://a.example/schema.json' } } }],
    ['with a reference to a file', { properties: { a: { $ref: 'other.json#/A' } } }],
    ['with a reference to nowhere', { properties: { a: { $ref: '#/$defs/A' } } }],
    ['with a reference to what objects have anyway', { properties: { a: { $ref: '#/constructor' } } }],
    ['with a name of its own', { type: 'object', properties: { a: { $id: 'https://a.example/' } } }],
    ['that doubles with every level', doubling(30)],
    ['with a pattern that looks around', { properties: { a: { type: 'string', pattern: '(?=a)b' } } }],
    ['with such a pattern for names', { patternProperties: { '(a)\\1': {} } }],
    ['with a name that no field can have', JSON.parse('{"properties":{"__proto__":{}}}') as JsonValue],
    ['with a NUL', { type: 'object', description: 'a\0' }],
  ])('is refused when it is %s', (_, schema) => {
    expect(() => checkedSchema(schema)).toThrow(BadSchema);
  });

  it.each<[string, JsonValue, number]>([
    ['long', { type: 'object', description: 'a'.repeat(65_000) }, MAX_SCHEMA_CHARACTERS],
    ['deep', nested(25), MAX_SCHEMA_DEPTH],
    ['deep as JSON', nested(100), 3 * MAX_SCHEMA_DEPTH],
  ])('is told the limit when it is too %s', (_, schema, limit) => {
    expect(() => checkedSchema(schema)).toThrow(`at most ${limit} `);
  });
});

describe('a linear pattern', () => {
  it.each([
    ['^[A-Z]{3}$', 'EUR', 'EURO'],
    ['\\d{4}-\\d{2}', 'on 2026-11', '2026'],
    ['^\\p{Lu}', 'É', 'é'],
    ['^[\\w.+-]+@[\\w-]+\\.\\w+$', 'a.b@c.de', 'a@'],
    ['(?<year>\\d+)/', '2026/', '2026'],
    ['b', 'abc', 'acc'],
  ])('%s fits %s and not %s, as JavaScript has it', (pattern, fit, unfit) => {
    const native = new RegExp(pattern, 'u');
    for (const text of [fit, unfit]) expect(linearPattern(pattern).test(text)).toBe(native.test(text));
  });

  it('is done with what would take JavaScript for ever, also inside a schema', () => {
    const text = `${'a'.repeat(40)}!`;
    expect(linearPattern('^(a+)+$').test(text)).toBe(false);
    const ajv = new Ajv2020({ strict: false, code: { regExp: linearPatterns } });
    const validate = ajv.compile({ properties: { a: { type: 'string', pattern: '^(a|a)*$' } } });
    expect(validate({ a: text })).toBe(false);
    expect(validate({ a: 'aa' })).toBe(true);
  });

  it.each(['(?=a)', '(a)\\1', '(', '(a{1,1000}){1,1000}', 'a'.repeat(1_001)])('%s is refused', (pattern) => {
    expect(() => linearPattern(pattern)).toThrow(UnusablePattern);
  });
});
