import { readFileSync } from 'node:fs';

import { buildSchema, type GraphQLInterfaceType, Kind, parse, visit } from 'graphql';

import { TURN_EVENTS } from './harness/test-client.js';

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
const types = schema.getPossibleTypes(schema.getType('TurnEvent') as GraphQLInterfaceType);
const client = readFileSync(new URL('../clients/js/src/operations.graphql', import.meta.url), 'utf8');

function fieldsAskedFor(document: string): Record<string, string[]> {
  const asked: Record<string, string[]> = {};
  visit(parse(document), {
    InlineFragment: ({ typeCondition, selectionSet }) => {
      const names = selectionSet.selections.flatMap((one) =>
        one.kind === Kind.FIELD ? [one.name.value] : [],
      );
      if (typeCondition) asked[typeCondition.name.value] = names;
    },
  });
  return asked;
}

it.each([
  ['the tests', TURN_EVENTS],
  ['the client', client],
])('%s ask for every event with all its fields', (_who, document) => {
  const asked = fieldsAskedFor(document);
  const common = new Set(Object.keys((schema.getType('TurnEvent') as GraphQLInterfaceType).getFields()));
  expect(types.length).toBeGreaterThan(10);
  for (const type of types) {
    const own = Object.keys(type.getFields()).filter((name) => !common.has(name));
    expect({ type: type.name, missing: own.filter((name) => !asked[type.name]?.includes(name)) }).toEqual({
      type: type.name,
      missing: [],
    });
  }
});
