import { getIntrospectionQuery } from 'graphql';

import { asksOnlyFor, NO_SCHEMA, SCHEMA_FIELDS } from './http-context.js';

it.each([
  [
    'what tools ask for',
    getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true }),
  ],
  ['whether somebody is there', '{ __typename }'],
  ['a type', 'query Q($name: String!) { __type(name: $name) { name } }'],
])('the schema is %s', (_, query) => {
  expect(asksOnlyFor(SCHEMA_FIELDS, { query }, {})).toBe(true);
  expect(asksOnlyFor(SCHEMA_FIELDS, undefined, { query })).toBe(true);
  expect(asksOnlyFor(NO_SCHEMA, { query }, {})).toBe(query === '{ __typename }');
});

it.each([
  ['data', '{ viewer { id } }'],
  ['data beside the schema', '{ __typename viewer { id } }'],
  ['data in another operation', 'query A { __typename } query B { viewer { id } }'],
  ['data behind a fragment', '{ ...a } fragment a on Query { viewer { id } }'],
  ['a mutation', 'mutation { forget(id: "a") }'],
  ['what is no operation', '{ __typename'],
  ['more than tools do', `{ ${'__typename '.repeat(1_000)} }`],
])('%s is more than the schema', (_, query) => {
  expect(asksOnlyFor(SCHEMA_FIELDS, { query }, {})).toBe(false);
  expect(asksOnlyFor(SCHEMA_FIELDS, undefined, { query })).toBe(false);
  expect(asksOnlyFor(SCHEMA_FIELDS, { query: '{ __typename }' }, { query })).toBe(false);
});

it('what stands behind a hash is more than the schema, and nothing is not', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
  expect(asksOnlyFor(SCHEMA_FIELDS, { extensions }, {})).toBe(false);
  expect(asksOnlyFor(SCHEMA_FIELDS, undefined, { extensions: JSON.stringify(extensions) })).toBe(false);
  expect(asksOnlyFor(SCHEMA_FIELDS, {}, {})).toBe(true);
  expect(asksOnlyFor(SCHEMA_FIELDS, undefined, {})).toBe(true);
});
