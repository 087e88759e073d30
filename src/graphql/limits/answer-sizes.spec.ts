import { buildSchema, execute, type ExecutionResult, parse, subscribe } from 'graphql';

import { type GraphQLContext, Loaders } from '../../companies/auth/graphql-context.js';
import { MAX_ANSWER_BYTES } from '../../common/schema/answer-size.js';
import { toConnection } from '../../common/schema/page.js';
import { watchFields } from './watched-fields.js';

const schema = watchFields(
  buildSchema(`
    type Query { text: String later: String json: [String!]! items: [Item!]! page: ItemConnection! }
    type Item { name: String! }
    type ItemConnection { edges: [ItemEdge!]! }
    type ItemEdge { node: Item! }
    type Subscription { news: String }`),
  () => undefined,
);

function contextOf(): GraphQLContext {
  return { viewer: null, loaders: new Loaders(null) };
}

function mega(times: number): string {
  return 'm'.repeat(times * 1_000_000);
}

async function run(source: string, rootValue: object): Promise<readonly string[]> {
  const { errors = [] } = await execute({
    schema,
    document: parse(source),
    rootValue,
    contextValue: contextOf(),
  });
  return errors.map(({ originalError }) =>
    String(originalError && 'code' in originalError && originalError.code),
  );
}

it.each<[string, string, object]>([
  ['text', '{ text }', { text: mega(11) }],
  ['text that comes later', '{ later }', { later: () => Promise.resolve(mega(11)) }],
  [
    'text that is shown again and again',
    `{ ${Array.from('abcdef', (name) => `${name}: text`).join(' ')} }`,
    { text: mega(2) },
  ],
  ['text in a list', '{ json }', { json: [mega(6), mega(6)] }],
  ['text that takes two bytes a character', '{ text }', { text: 'é'.repeat(6_000_000) }],
  [
    'long names',
    `{ items { ${'n'.repeat(2_000)}: name } }`,
    { items: Array.from({ length: 6_000 }, () => ({ name: '' })) },
  ],
])('refuses too much of %s', async (_what, source, rootValue) => {
  expect(new Set(await run(source, rootValue))).toEqual(new Set(['PAYLOAD_TOO_LARGE']));
});

it('lets pass what is as much as it may be', async () => {
  expect(await run('{ text items { name } }', { text: mega(9), items: [{ name: mega(0.9) }] })).toEqual([]);
});

it('counts what pages hold, shown or not', async () => {
  const request = { list: 'items', limit: 1, backward: false, after: null, before: null };
  const page = toConnection({
    request,
    rows: [{ name: '' }],
    bytes: 30_000_000,
    hasMore: false,
    keyOf: () => [''],
  });
  expect(await run('{ page { edges { node { name } } } }', { page })).toEqual([]);
  expect(
    await run('{ page { edges { node { name } } } other: page { edges { node { name } } } }', { page }),
  ).toEqual(['PAYLOAD_TOO_LARGE']);
});

it('takes each result of a subscription for an answer of its own', async () => {
  async function* news(): AsyncGenerator<{ news: string }> {
    for (let event = 0; event < 5; event += 1) yield { news: mega(4) };
  }
  const results = await subscribe({
    schema,
    document: parse('subscription { news }'),
    rootValue: { news },
    contextValue: contextOf(),
  });
  const seen: ExecutionResult[] = [];
  for await (const result of results as AsyncGenerator<ExecutionResult>) seen.push(result);
  expect(seen.map(({ errors }) => errors)).toEqual(Array(5).fill(undefined));
});

describe('the loaders of an operation', () => {
  it('read one batch after the other, and none once too much is shown or read', async () => {
    const loaders = new Loaders(null);
    const read: string[] = [];
    const load = async (ids: readonly string[]): Promise<string[]> => {
      read.push(...ids);
      return ids.map(() => mega(4));
    };
    const loader = loaders.of({}, load, 10);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => loader.load(`${index}`)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(read).toHaveLength(20);
    expect(outcomes.at(-1)).toMatchObject({
      reason: { code: 'PAYLOAD_TOO_LARGE', extensions: { limit: MAX_ANSWER_BYTES } },
    });
  });
});
