import { buildSchema, parse, specifiedRules, validate } from 'graphql';

import { jsonLiteralRule } from './json-literals.js';

const schema = buildSchema(`
  scalar JSON
  enum Kind { GOOD }
  input Change { kind: Kind kinds: [Kind!] attributes: JSON parts: [Change!] free: [JSON] }
  type Query { look(change: Change, value: JSON!): Int }
`);

const errorsOf = (query: string) => validate(schema, parse(query), [...specifiedRules, jsonLiteralRule]);

describe('JSON in an operation', () => {
  it.each([
    '{ look(value: { a: "b", c: [1, 2.5, true, null, { d: [] }] }) }',
    'query ($v: String) { look(value: { a: $v, b: [$v] }) }',
    '{ look(value: 1, change: { kind: GOOD, kinds: [GOOD], attributes: { a: 1 }, parts: [{ kind: GOOD }] }) }',
  ])('may be %s', (query) => {
    expect(errorsOf(query)).toEqual([]);
  });

  it.each([
    ['{ look(value: { sector: AGRI }) }', ['value.sector']],
    ['{ look(value: [1, AGRI]) }', ['value.1']],
    ['{ look(value: { a: [{ b: X }], c: Y }) }', ['value.a.0.b', 'value.c']],
    ['{ look(value: 1, change: { attributes: { a: X } }) }', ['change.attributes.a']],
    ['{ look(value: 1, change: { parts: [{}, { attributes: [X] }] }) }', ['change.parts.1.attributes.0']],
    ['{ look(value: 1, change: { free: [1, { a: X }] }) }', ['change.free.1.a']],
    ['query ($v: JSON = { a: X }) { look(value: $v) }', ['$v.a']],
  ])('may not be %s', (query, places) => {
    expect(errorsOf(query).map(({ extensions }) => extensions)).toEqual(
      places.map((place) => ({ code: 'BAD_USER_INPUT', path: place.split('.'), argument: place })),
    );
  });

  it('is told at the word, in words', () => {
    const [error] = errorsOf('{ look(value: { sector: AGRI }) }');
    expect(error?.message).toBe('The word AGRI is no JSON: text needs quotes, as in "AGRI".');
    expect(error?.locations).toEqual([{ line: 1, column: 25 }]);
  });
});
