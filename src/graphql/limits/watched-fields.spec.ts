import { buildSchema, execute, parse, subscribe } from 'graphql';

import { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { onThread } from '../../common/process/thread-time.js';
import { watchFields } from './watched-fields.js';

const ada: Viewer = {
  id: 'ada',
  companyId: 'demo',
  role: 'MEMBER',
  name: 'Ada',
  email: null,
  expiresAt: null,
  scopes: null,
};

/** `slow` takes 20 ms of the thread for each row. */
function schemaOf(spend: (viewer: Viewer, ms: number) => void) {
  const schema = buildSchema(
    'type Row { slow: Int } type Query { rows: [Row!]! none: Int late: Int } type Subscription { row: Row }',
  );
  const rows = [{ slow: work }, { slow: work }];
  schema.getQueryType()!.getFields().rows!.resolve = () => Promise.resolve(rows);
  schema.getQueryType()!.getFields().none!.resolve = () => Promise.reject(new Error('No'));
  schema.getQueryType()!.getFields().late!.resolve = async () => {
    work();
    await Promise.resolve();
    return onThread(work);
  };
  const { row } = schema.getSubscriptionType()!.getFields();
  row!.subscribe = async function* () {
    yield {};
  };
  row!.resolve = () => Promise.resolve(rows[0]);
  return watchFields(schema, spend);
}

let now = 0;
function work(): number {
  return (now += 20);
}

beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => vi.restoreAllMocks());

async function run(query: string, viewer: Viewer | null) {
  const spend = vi.fn<(viewer: Viewer, ms: number) => void>();
  const args = {
    schema: schemaOf(spend),
    document: parse(query),
    contextValue: { viewer, loaders: new Loaders(viewer) },
  };
  const result = query.startsWith('subscription')
    ? await Array.fromAsync((await subscribe(args)) as AsyncIterable<unknown>)
    : await execute(args);
  return { result, spent: spend.mock.calls };
}

it('tells what it takes to show what was read', async () => {
  const { result, spent } = await run('{ rows { slow } }', ada);
  expect(result).toMatchObject({ data: { rows: [{}, {}] } });
  expect(spent).toEqual([[ada, 40]]);
});

it('tells what a resolver takes before it waits, and what it says of itself afterwards', async () => {
  const { spent } = await run('{ late }', ada);
  expect(spent).toEqual([
    [ada, 20],
    [ada, 20],
  ]);
});

it('leaves errors as they are', async () => {
  const { result, spent } = await run('{ none }', ada);
  expect(result).toMatchObject({ data: { none: null }, errors: [{ message: 'No', path: ['none'] }] });
  expect(spent).toEqual([]);
});

it('tells nothing of nobody, nor of what is subscribed to', async () => {
  expect((await run('{ rows { slow } }', null)).spent).toEqual([]);
  const { result, spent } = await run('subscription { row { slow } }', ada);
  expect(result).toMatchObject([{ data: { row: { slow: expect.any(Number) } } }]);
  expect(spent).toEqual([]);
});
