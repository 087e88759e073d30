import { buildSchema, parse } from 'graphql';
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
const viewer = { id: 'ada', companyId: 'acme' } as Viewer;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Asks by a socket for a value that takes its time to be written, and gives the frames and the counted times. */
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
    prepare: async () => ({ definition, args, release: () => undefined }),
    execute: () => ({ data: { value: slow } }),
  };
  const times: number[] = [];
  const limits = {
    takeSocket: () => () => undefined,
    eventPace: () => ({ spent: (ms: number) => times.push(ms), isFree: () => true }),
  };
  const protocol = new SocketProtocol(
    operations as unknown as Operations,
    { viewerOf: async () => viewer } as unknown as SignIn,
    { watch: () => () => undefined } as unknown as SessionEnds,
    { in: (result: object) => result } as unknown as ClientErrors,
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
        if (frame.type === 'complete') over.resolve();
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
  return { times, results: frames.filter(({ type }) => type === 'next').map(({ payload }) => payload) };
}

it('counts the time of writing an answer', async () => {
  expect(await ask('{ value }')).toEqual({ times: [WRITING_MS], results: [{ data: { value: 'written' } }] });
});

it('counts the time of writing an event', async () => {
  expect(await ask('subscription { value }')).toEqual({
    times: [WRITING_MS],
    results: [{ data: { value: 'written' } }],
  });
});
