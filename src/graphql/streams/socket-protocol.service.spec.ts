import { buildSchema, GraphQLError, parse } from 'graphql';
import type { WebSocket } from 'ws';

import type { Viewer } from '../../companies/auth/viewer.js';
import { pino } from 'pino';
import { NoTracing } from '../../platform/tracing/tracing.js';
import type { ClientErrors } from '../client-errors.service.js';
import type { UsageLimits } from '../limits/usage-limits.service.js';
import type { Operations } from '../operations.service.js';
import type { SignIn } from '../sign-in.service.js';
import type { SessionEnds } from './session-ends.service.js';
import { SocketProtocol } from './socket-protocol.service.js';

const WRITING_MS = 7;
const REFUSED = '{ refused: value }';
const viewer = { id: 'ada', companyId: 'acme' } as Viewer;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Requests a value that is slow to write, and returns the frames and counted times. */
async function ask(query: string) {
  const schema = buildSchema('scalar Any type Query { value: Any } type Subscription { value: Any }');
  const slow = { toJSON: () => (vi.advanceTimersByTime(WRITING_MS), 'written') };
  const document = parse(query);
  const [definition] = document.definitions;
  const events = async function* (): AsyncGenerator<object> {
    yield { value: slow };
  };
  const rootValue = { value: query.startsWith('{') ? slow : events };
  const args = { schema, document, rootValue, contextValue: { viewer } };
  const operations = {
    prepare: async () =>
      query === REFUSED ? [new GraphQLError('No')] : { definition, args, release: () => undefined },
    execute: () => ({ data: { value: slow } }),
  };
  const times: number[] = [];
  const ofOperations: number[] = [];
  const limits = {
    addThreadTime: (_viewer: Viewer, ms: number) => ofOperations.push(ms),
    takeSocket: () => () => undefined,
    eventPace: () => ({ spent: (ms: number) => times.push(ms), isFree: () => true }),
  };
  const protocol = new SocketProtocol(
    operations as unknown as Operations,
    { viewerOf: async () => viewer } as unknown as SignIn,
    { watch: () => () => undefined } as unknown as SessionEnds,
    {
      in: (result: object) => result,
      of: () => ({ message: 'No', extensions: { slow } }),
    } as unknown as ClientErrors,
    limits as unknown as UsageLimits,
    pino({ level: 'silent' }),
    new NoTracing(),
  );
  const socket = { OPEN: 1, CLOSED: 3, readyState: 1, bufferedAmount: 1, once: () => undefined };
  const frames: { type: string; payload?: unknown }[] = [];
  const over = Promise.withResolvers<void>();
  let take = async (_message: string): Promise<void> => undefined;
  protocol.server().opened(
    {
      protocol: 'graphql-transport-ws',
      send: async (text) => {
        const frame = JSON.parse(text) as { type: string };
        frames.push(frame);
        if (frame.type === 'complete' || frame.type === 'error') over.resolve();
      },
      close: () => undefined,
      onMessage: (callback) => (take = callback),
    },
    {
      socket: socket as unknown as WebSocket,
      address: '',
      headers: {},
      admitted: () => undefined,
      viewer: null,
      pace: null,
      underWay: new Map(),
      isOver: false,
    },
  );
  await take(JSON.stringify({ type: 'connection_init' }));
  await take(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
  await over.promise;
  return {
    times,
    ofOperations,
    results: frames.filter(({ type }) => type === 'next').map(({ payload }) => payload),
  };
}

it('counts the time of writing an answer', async () => {
  expect(await ask('{ value }')).toMatchObject({
    times: [WRITING_MS],
    results: [{ data: { value: 'written' } }],
  });
});

it('counts the time of writing a refusal as that of an operation', async () => {
  expect(await ask(REFUSED)).toMatchObject({ ofOperations: [WRITING_MS], results: [] });
});

it('counts the time of writing an event', async () => {
  expect(await ask('subscription { value }')).toMatchObject({
    times: [WRITING_MS],
    results: [{ data: { value: 'written' } }],
  });
});
