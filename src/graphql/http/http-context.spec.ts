import { getIntrospectionQuery } from 'graphql';

import { asksForSchemaOnly } from './http-context.js';

it.each([
  [
    'what tools ask for',
    getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true }),
  ],
  ['whether somebody is there', '{ __typename }'],
  ['a type', 'query Q($name: String!) { __type(name: $name) { name } }'],
])('the schema is %s', (_, query) => {
  expect(asksForSchemaOnly({ query }, {})).toBe(true);
  expect(asksForSchemaOnly(undefined, { query })).toBe(true);
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
  expect(asksForSchemaOnly({ query }, {})).toBe(false);
  expect(asksForSchemaOnly(undefined, { query })).toBe(false);
  expect(asksForSchemaOnly({ query: '{ __typename }' }, { query })).toBe(false);
});

it('what stands behind a hash is more than the schema, and nothing is not', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
  expect(asksForSchemaOnly({ extensions }, {})).toBe(false);
  expect(asksForSchemaOnly(undefined, { extensions: JSON.stringify(extensions) })).toBe(false);
  expect(asksForSchemaOnly({}, {})).toBe(true);
  expect(asksForSchemaOnly(undefined, {})).toBe(true);
});
