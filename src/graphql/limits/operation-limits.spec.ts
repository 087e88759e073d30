import {
  buildSchema,
  type GraphQLObjectType,
  parse,
  specifiedRules,
  validate,
  getIntrospectionQuery,
  graphqlSync,
} from 'graphql';
import { readFileSync } from 'node:fs';

import { listCost, MAX_COST, QUERY_COST } from '../../common/schema/cost.js';
import {
  USUAL_LENGTH,
  costError,
  operationRules,
  MAX_ALIASES,
  MAX_DEPTH,
  introspectionLengths,
  jsonLiteralRule,
} from './operation-limits.js';

const schema = buildSchema(`
  type Query { node: Item items(first: Int, last: Int): Page! all: [Item!]! }
  type Page { items: [Item!]! }
  type Item { id: ID! node: Item items(first: Int, last: Int): Page! all: [Item!]! names: [String!] }
`);

// As in every page, the field above counts the items.
(schema.getType('Page') as GraphQLObjectType).getFields().items!.extensions = {
  complexity: ({ childComplexity }: { childComplexity: number }) => 1 + childComplexity,
};

function messagesOf(query: string): string[] {
  return validate(schema, parse(query), [...specifiedRules, ...operationRules]).map(({ message }) => message);
}

function costOf(
  query: string,
  variables: Record<string, unknown> | null = null,
  operationName: string | null = null,
): unknown {
  return costError(schema, parse(query), variables, operationName)?.extensions.cost ?? null;
}

/** `depth` fields inside each other. */
function nested(depth: number): string {
  return depth === 1 ? 'id' : `node { ${nested(depth - 1)} }`;
}

describe('depth', () => {
  it('is allowed up to the limit', () => {
    expect(messagesOf(`{ ${nested(MAX_DEPTH)} }`)).toEqual([]);
    expect(messagesOf(`{ ${nested(MAX_DEPTH + 1)} }`)).toEqual([
      expect.stringContaining(`depth limit of ${MAX_DEPTH} exceeded, found ${MAX_DEPTH + 1}.`),
    ]);
  });

  it('is the same with fragments, which are no level of their own', () => {
    const within = `{ node { ...A } } fragment A on Item { ... on Item { ${nested(MAX_DEPTH - 1)} } }`;
    expect(messagesOf(within)).toEqual([]);
    const beyond = `{ node { ...A } } fragment A on Item { ... on Item { ${nested(MAX_DEPTH)} } }`;
    expect(messagesOf(beyond)).toEqual([expect.stringContaining('depth limit')]);
  });

  it('is counted for every operation of a document', () => {
    const errors = messagesOf(`query A { node { id } } query B { ${nested(MAX_DEPTH + 1)} }`);
    expect(errors).toEqual([expect.stringContaining('depth limit')]);
  });

  it('is told beside other mistakes', () => {
    expect(messagesOf(`{ nothing ${nested(MAX_DEPTH + 1)} }`).toSorted()).toEqual([
      expect.stringContaining('Cannot query field "nothing"'),
      expect.stringContaining('depth limit'),
    ]);
  });
});

describe('aliases', () => {
  const aliases = (count: number): string =>
    Array.from({ length: count }, (_, index) => `a${index}: node { id }`).join(' ');

  it('are allowed up to the limit', () => {
    expect(messagesOf(`{ ${aliases(MAX_ALIASES)} }`)).toEqual([]);
    expect(messagesOf(`{ ${aliases(MAX_ALIASES + 1)} }`)).toEqual([
      expect.stringContaining(`Aliases limit of ${MAX_ALIASES} exceeded, found ${MAX_ALIASES + 1}.`),
    ]);
  });

  it('count once for every place of a fragment', () => {
    const half = MAX_ALIASES / 2 + 1;
    const query = `{ x: node { ...A } y: node { ...A } } fragment A on Item { ${aliases(half)} }`;
    expect(messagesOf(query)).toEqual([expect.stringContaining('Aliases limit')]);
  });
});

describe('cost', () => {
  const pages =
    '{ items(first: 100) { items { items(first: 100) { items { items(first: 9) { items { id node { id } } } } } } } }';

  it('is that of the variables at hand, however often the same document comes', () => {
    const document = parse(
      `query ($n: Int = 100, $with: Boolean = true) {
         items(first: $n) { items { items(first: $n) { items {
           items(first: $n) @include(if: $with) { items { id node { id } } } } } } } }`,
    );
    const isRefused = (variables: Record<string, unknown>): boolean =>
      costError(schema, document, variables, null) !== null;
    for (const _twice of [1, 2]) {
      expect(isRefused({})).toBe(true);
      expect(isRefused({ n: 2 })).toBe(false);
      expect(isRefused({ n: null })).toBe(false);
      expect(isRefused({ n: 100 })).toBe(true);
      expect(isRefused({ with: false })).toBe(false);
    }
  });

  it('is nothing to speak of for what shows little', () => {
    expect(costOf('{ node { id } items(first: 100) { items { id } } }')).toBeNull();
  });

  it('multiplies pages inside pages', () => {
    const innermost = QUERY_COST + 9 * (1 + 1 + 2);
    const inner = QUERY_COST + 100 * (1 + innermost);
    expect(costOf(pages)).toBe(QUERY_COST + 100 * (1 + inner));
    expect(costError(schema, parse(pages), null, null)?.message).toContain(`the limit is ${MAX_COST}`);
  });

  it('multiplies lists without pages by how many they usually have', () => {
    const lists = (depth: number): string => (depth === 0 ? 'id' : `all { ${lists(depth - 1)} }`);
    expect(costOf(`{ ${lists(5)} }`)).toBeNull();
    expect(USUAL_LENGTH).toBe(10);
    expect(costOf(`{ ${lists(6)} }`)).toBe(1_111_111);
  });

  it('counts a list of texts as that many', () => {
    const page = (fields: string): string =>
      `{ items(first: 100) { items { items(first: 100) { items { ${fields} } } } } }`;
    expect(costOf(page('id'))).toBeNull();
    const perItem = 1 + 6 * (1 + USUAL_LENGTH);
    expect(costOf(page('a: names b: names c: names d: names e: names f: names'))).toBe(
      QUERY_COST + 100 * (1 + QUERY_COST + 100 * perItem),
    );
  });

  it('goes by what a field says of itself', () => {
    const said = buildSchema('type Query { many: [Query!]! id: ID! }');
    const { many } = said.getQueryType()!.getFields();
    many!.extensions = { complexity: listCost(1_000, 7) };
    expect(costError(said, parse('{ many { many { id } } }'), null, null)?.extensions.cost).toBe(
      7 + 1_000 * (7 + 1_000),
    );
  });

  it('reads the sizes of pages from variables, and takes the largest for one it cannot read', () => {
    const query =
      'query ($n: Int) { items(last: $n) { items { items(first: $n) { items { items(first: 9) { items { id } } } } } } }';
    expect(costOf(query, { n: 100 })).toBeGreaterThan(MAX_COST);
    expect(costOf(query, { n: 2 })).toBeNull();
    expect(costOf(query, { n: 1_000_000_000 })).toBe(costOf(query, { n: 100 }));
  });

  it('leaves wrong variables to the execution', () => {
    expect(costOf('query ($n: Int!) { items(first: $n) { items { id } } }', { n: 'many' })).toBeNull();
    expect(costOf('query ($n: Int!) { items(first: $n) { items { id } } }')).toBeNull();
  });

  it('is that of the operation that is asked for', () => {
    const query = `query Dear ${pages} query Cheap { node { id } }`;
    expect(costOf(query, null, 'Cheap')).toBeNull();
    expect(costOf(query, null, 'Dear')).toBeGreaterThan(MAX_COST);
  });

  it('is not counted to the end for fragments that double and double', () => {
    const doubling = Array.from(
      { length: 60 },
      (_, index) =>
        `fragment F${index} on Query { ${index < 59 ? `...F${index + 1} `.repeat(2) : 'node { id }'} }`,
    );
    const error = costError(schema, parse(`{ ...F0 } ${doubling.join(' ')}`), null, null);
    expect(error?.message).toContain('more than 2000 fields');
    expect(error?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

const estimatedSchema = buildSchema(
  readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'),
);

function estimatedCostOf(query: string): unknown {
  return costError(estimatedSchema, parse(query), null, null)?.extensions.cost ?? null;
}

function wide(count: number, selection: string): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${selection}`).join(' ');
}

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
    expect(estimatedCostOf(query)).toBeNull();
  });

  it.each([
    [
      'below each other',
      `{ __schema { types { fields { type { ofType { ofType { ${wide(15, FIELDS)} } } ${wide(14, FIELDS)} } } } } }`,
    ],
    ['beside each other', `{ __schema { types { ${wide(29, FIELDS)} } } }`],
  ])('is refused for asking again and again: %s', (_what, query) => {
    // Its fault is one that other rules do not see.
    expect(validate(estimatedSchema, parse(query), [...specifiedRules, ...operationRules])).toEqual([]);
    expect(estimatedCostOf(query)).toBeGreaterThan(MAX_COST);
  });

  it('counts on no fewer than there are', () => {
    const { data } = graphqlSync({ schema: estimatedSchema, source: LENGTHS });
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

const jsonSchema = buildSchema(`
  scalar JSON
  enum Kind { GOOD }
  input Change { kind: Kind kinds: [Kind!] attributes: JSON parts: [Change!] free: [JSON] }
  type Query { look(change: Change, value: JSON!): Int }
`);

function errorsOf(query: string) {
  return validate(jsonSchema, parse(query), [...specifiedRules, jsonLiteralRule]);
}

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
