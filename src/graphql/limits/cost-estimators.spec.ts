import { readFileSync } from 'node:fs';

import { buildSchema, getIntrospectionQuery, graphqlSync, parse, specifiedRules, validate } from 'graphql';

import { MAX_COST } from '../../common/schema/cost.js';
import { introspectionLengths } from './cost-estimators.js';
import { costError, operationRules } from './operation-limits.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

const costOf = (query: string): unknown =>
  costError(schema, parse(query), null, null)?.extensions.cost ?? null;

const wide = (count: number, selection: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');

const FIELDS =
  'fields { name description isDeprecated args { name type { name ofType { name } } } type { name enumValues { name } ofType { name } } }';

describe('introspection', () => {
  it.each([
    ['as old tools ask for it', { descriptions: false }],
    ['as it is asked for if nothing is said', {}],
    [
      'with all that there is',
      {
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      },
    ],
  ])('is within the limits %s, beside a query', (_how, options) => {
    const query = getIntrospectionQuery(options).replace('{', '{ viewer { id } assistants { key name }');
    expect(costOf(query)).toBeNull();
  });

  it.each([
    [
      'below each other',
      `{ __schema { types { fields { type { ofType { ofType { ${wide(15, FIELDS)} } } ${wide(14, FIELDS)} } } } } }`,
    ],
    ['beside each other', `{ __schema { types { ${wide(29, FIELDS)} } } }`],
  ])('is refused for asking again and again: %s', (_what, query) => {
    // What it is refused for is nothing that other rules would have seen.
    expect(validate(schema, parse(query), [...specifiedRules, ...operationRules])).toEqual([]);
    expect(costOf(query)).toBeGreaterThan(MAX_COST);
  });

  it('counts on no fewer than there are', () => {
    const { data } = graphqlSync({ schema, source: LENGTHS });
    const { __schema } = data as unknown as Lengths;
    const average = (lists: (unknown[] | null)[]): number =>
      lists.reduce((sum, list) => sum + (list?.length ?? 0), 0) / lists.length;
    const { types } = __schema;
    const fields = types.flatMap((type) => type.fields ?? []);
    const largest = Math.max(...types.map((type) => type.fields?.length ?? 0));
    const found: Record<string, number> = {
      '__Schema.types': types.length,
      '__Schema.directives': __schema.directives.length,
      '__Schema.mutationType': largest / introspectionLengths['__Type.fields']!,
      '__Type.fields': average(types.map((type) => type.fields)),
      '__Type.inputFields': average(types.map((type) => type.inputFields)),
      '__Type.interfaces': average(types.map((type) => type.interfaces)),
      '__Type.possibleTypes': average(types.map((type) => type.possibleTypes)),
      '__Type.enumValues': average(types.map((type) => type.enumValues)),
      '__Field.args': average(fields.map(({ args }) => args)),
      '__Directive.args': average(__schema.directives.map(({ args }) => args)),
    };
    const short = Object.entries(found).filter(([name, length]) => length > introspectionLengths[name]!);
    expect(short).toEqual([]);
  });
});

const LENGTHS = `{ __schema {
  directives { args { name } }
  types {
    fields { args { name } }
    inputFields { name } interfaces { name } possibleTypes { name } enumValues { name }
  }
} }`;

type Listed = unknown[] | null;

interface Lengths {
  __schema: {
    directives: { args: unknown[] }[];
    types: {
      fields: { args: unknown[] }[] | null;
      inputFields: Listed;
      interfaces: Listed;
      possibleTypes: Listed;
      enumValues: Listed;
    }[];
  };
}
