import type { JsonObject, JsonValue } from '@palabre/json';
import { SchemaCompiler, isMultipleOf } from './compiled-schema.js';

const unique: JsonObject = { type: 'object', properties: { list: { type: 'array', uniqueItems: true } } };

function named(texts: readonly string[]): JsonObject {
  return { patternProperties: Object.fromEntries(texts.map((text) => [`(a|b)+${text}`, true])) };
}

describe('a compiler of schemas', () => {
  const compiler = new SchemaCompiler({});

  it('compiles what says the same once, in whatever order its fields come', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
    const stored = { properties: { a: { minLength: 1, type: 'string' } }, type: 'object' };
    const validate = compiler.validatorOf(schema);
    expect(compiler.validatorOf(schema)).toBe(validate);
    expect(compiler.validatorOf(stored)).toBe(validate);
    expect(compiler.validatorOf({ ...schema, required: ['a'] })).not.toBe(validate);
  });

  it('goes on after many, each checked by itself', () => {
    for (let most = 0; most < 1_100; most += 1) {
      const validate = compiler.validatorOf({ type: 'array', maxItems: most });
      expect(validate(Array.from({ length: most }))).toBe(true);
      expect(validate(Array.from({ length: most + 1 }))).toBe(false);
    }
  });

  it('refuses what is no schema, also when asked again', () => {
    const wrong = { type: 'object', required: 'all' };
    expect(() => compiler.validatorOf(wrong)).toThrow('schema is invalid');
    expect(() => compiler.validatorOf(wrong)).toThrow('schema is invalid');
  });

  it('finds repeated texts and numbers', () => {
    const validate = compiler.validatorOf(unique);
    expect(validate({ list: ['a', 'b', 1, '1'] })).toBe(true);
    expect(validate({ list: ['a', 'b', 'a'] })).toBe(false);
    expect(validate.errors).toMatchObject([{ message: 'must NOT have duplicate items' }]);
  });

  it('takes an amount with cents for a multiple of a cent', () => {
    const validate = compiler.validatorOf({ type: 'number', multipleOf: 0.01 });
    expect(validate(19.99)).toBe(true);
    expect(validate(19.995)).toBe(false);
    expect(validate.errors).toMatchObject([{ message: 'must be multiple of 0.01' }]);
    expect(() => compiler.validatorOf({ multipleOf: 0 })).toThrow('schema is invalid');
  });

  it('takes only what an object has itself for its properties', () => {
    const properties = { constructor: { type: 'string' }, toString: { type: 'string' } };
    expect(compiler.validatorOf({ type: 'object', properties })({})).toBe(true);
    expect(compiler.validatorOf({ type: 'object', properties, required: ['constructor'] })({})).toBe(false);
    expect(compiler.validatorOf({ type: 'object', properties })({ constructor: 1 })).toBe(false);
  });

  it.each(['number', 'integer'])('takes what is too large for JSON for no %s', (type) => {
    const validate = compiler.validatorOf({ type });
    expect([validate(JSON.parse('1e308')), validate(JSON.parse('1e309'))]).toEqual([true, false]);
  });

  const numbers = Array.from({ length: 29_000 }, (_, index) => index);
  const texts = Array.from({ length: 450 }, (_, index) => `x${index}`);

  it.each<[string, JsonObject, JsonValue]>([
    ['lacks many names in each of many objects', { items: { required: texts } }, numbers.map(() => ({}))],
    ['may be one of many', { items: { anyOf: texts.map((text) => ({ const: text })) } }, numbers],
    ['is not in a long list', { items: { enum: texts } }, numbers],
    [
      'has many names for many patterns',
      named(texts),
      Object.fromEntries(numbers.slice(0, 999).map((n) => [n, n])),
    ],
    ['is long for a long pattern', { pattern: '^(.{0,25}x?){0,30}$' }, 'a'.repeat(2_000)],
    ['is named by itself', { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } }, 1],
  ])('does not begin to check what %s', (_, schema, value) => {
    const validate = new SchemaCompiler({ allErrors: true }).validatorOf(schema);
    expect(validate(value)).toBe(false);
    expect(validate.errors).toMatchObject([
      { message: expect.stringContaining('more in it than can be checked') },
    ]);
  });

  it('checks a long list of what has little to be checked', () => {
    const one = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', pattern: '^[a-z]+-\\d+$' } },
    };
    const validate = compiler.validatorOf({ type: 'array', items: one });
    expect(validate(numbers.slice(0, 9_000).map((number) => ({ id: `a-${number}` })))).toBe(true);
    expect(validate([{ id: 'a' }])).toBe(false);
  });

  it.each([
    ['time', '14:30:00', '25:00:00'],
    ['time', '14:30:00Z', '14h30'],
    ['date-time', '2026-11-23T14:30:00', '2026-11-31T14:30:00'],
    ['date-time', '2026-11-23T14:30:00+01:00', '23/11/2026 14:30'],
  ])('takes a %s with an offset and without: %s, and not %s', (format, right, wrong) => {
    const validate = compiler.validatorOf({ type: 'string', format });
    expect(validate(right)).toBe(true);
    expect(validate(wrong)).toBe(false);
  });

  it('compares no object with every other', () => {
    let reads = 0;
    const list = Array.from({ length: 1_000 }, (_, index) => ({
      get a(): number {
        reads += 1;
        return index;
      },
    }));
    expect(compiler.validatorOf(unique)({ list })).toBe(true);
    expect(reads).toBeLessThanOrEqual(list.length);
  });
});

describe('a multiple', () => {
  it.each([
    [19.99, 0.01],
    [-1.1, 0.1],
    [123_456_789_012.34, 0.01],
    [0, 5],
    [1e21, 1],
    [3e-7, 1e-7],
    [1.5, 0.5],
  ])('%d is one of %d', (value, step) => {
    expect(isMultipleOf(value, step)).toBe(true);
  });

  it.each([
    [19.995, 0.01],
    [7, 2],
    [1e-7, 0.01],
    [Infinity, 1],
  ])('%d is none of %d', (value, step) => {
    expect(isMultipleOf(value, step)).toBe(false);
  });
});
