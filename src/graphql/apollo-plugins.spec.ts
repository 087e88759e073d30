import { buildSchema, execute, parse } from 'graphql';

import { Loaders } from '../companies/auth/graphql-context.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { costLimit, writeAnswer } from './apollo-plugins.js';
import { watchFields } from './limits/watched-fields.js';
import type { UsageLimits } from './limits/usage-limits.service.js';

const ada: Viewer = {
  id: 'ada',
  companyId: 'demo',
  role: 'MEMBER',
  name: 'Ada',
  email: null,
  expiresAt: null,
  scopes: null,
};

let now = 0;
function takes<Value>(ms: number, value: Value): Value {
  now += ms;
  return value;
}

beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => vi.restoreAllMocks());

/** Answers an operation like Apollo, and returns the counted time. */
async function answer(viewer: Viewer | null, row: () => unknown): Promise<unknown[][]> {
  const [addThreadTime, addAnonymousTime] = [
    vi.fn<UsageLimits['addThreadTime']>(),
    vi.fn<UsageLimits['addAnonymousTime']>(),
  ];
  const limits = { addThreadTime, addAnonymousTime } as unknown as UsageLimits;
  const contextValue = { viewer, loaders: new Loaders(viewer), req: { ip: '192.0.2.1' } };
  const { requestDidStart } = costLimit(limits, 'on');
  const listener = (await requestDidStart?.({ contextValue } as never)) ?? {};
  const schema = watchFields(buildSchema('type Query { row: String }'), () => undefined);
  schema.getQueryType()!.getFields().row!.resolve = row;
  const measured = watchFields(schema, () => undefined);
  const executing = await listener.executionDidStart?.({} as never);
  const singleResult = await execute({ schema: measured, document: parse('{ row }'), contextValue });
  await (executing as { executionDidEnd(): Promise<void> }).executionDidEnd();
  await listener.willSendResponse?.({ response: { body: { kind: 'single', singleResult } } } as never);
  // In any form: other plugins' versions of the answer have the same data.
  singleResult.data!['toJSON'] = () => takes(5, {});
  expect(await writeAnswer({ ...singleResult })).toBe('{"data":{}}\n');
  return [...addThreadTime.mock.calls, ...addAnonymousTime.mock.calls];
}

it('counts the time of an answer for which nothing is waited, and that of writing it', async () => {
  expect(await answer(ada, () => takes(30, 'a'))).toEqual([
    [ada, 30],
    [ada, 5],
  ]);
});

it('counts none in which the thread was free', async () => {
  expect(await answer(ada, () => Promise.resolve(takes(30, 'a')))).toEqual([[ada, 5]]);
});

it('counts that of somebody not signed in for their address', async () => {
  expect(await answer(null, () => takes(30, 'a'))).toEqual([
    ['192.0.2.1', 30],
    ['192.0.2.1', 5],
  ]);
});
