import { finish, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { CuttableProxy } from '../harness/cuttable-proxy.js';
import { readStream, type StreamEvent, turnEventsIn } from '../harness/event-source.js';
import { checkEvents } from '../harness/laws.js';
import { readRequest } from '../harness/provider-request.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import { type GraphQLAnswer, TURN_EVENTS, type TestClient, type WireEvent } from '../harness/test-client.js';

const SILENT = 'Say a word and no more';

function replyTo(body: JsonObject): ProviderReply {
  return readRequest(body).messages.at(-1)?.content === SILENT
    ? [text('Bon'), hang()]
    : [text('Bon'), text('jour'), finish()];
}

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await shareApp(replyTo);
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

const EVENTS = 'text/event-stream';

interface Asking {
  path?: string;
  url?: string;
  by?: 'GET' | 'POST';
  headers?: Record<string, string>;
  someone?: TestClient;
  signal?: AbortSignal;
}

/** Asks for a stream; `headers` come over those that a client would send. */
function ask(
  operation: { query: string; variables?: object; operationName?: string },
  { path = '/graphql', url = app.url, by = 'POST', headers, someone = client, signal }: Asking = {},
): Promise<Response> {
  const address = new URL(path, url);
  if (by === 'GET') {
    address.searchParams.set('query', operation.query);
    if (operation.variables) address.searchParams.set('variables', JSON.stringify(operation.variables));
  }
  return fetch(address, {
    method: by,
    headers: {
      accept: EVENTS,
      ...(someone.token === null ? {} : { authorization: `Bearer ${someone.token}` }),
      ...(by === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(by === 'POST' ? { body: JSON.stringify(operation) } : {}),
    ...(signal ? { signal } : {}),
  });
}

function follow(turnId: string, after = 0, asking: Asking = {}): Promise<Response> {
  return ask({ query: TURN_EVENTS, variables: { turnId, after } }, asking);
}

async function all(response: Response): Promise<StreamEvent[]> {
  return (await Array.fromAsync(readStream(response))).filter(({ event }) => event !== 'comment');
}

function cancel(turnId: string): Promise<unknown> {
  return client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
}

describe('a turn over server-sent events', () => {
  it.each([
    ['POST', '/graphql'],
    ['GET', '/graphql'],
    ['POST', '/graphql/stream'],
    ['GET', '/graphql/stream'],
  ] as const)(
    'comes whole by %s at %s, and in a form that nothing on the way holds back',
    async (by, path) => {
      const { turnId } = await client.ask('Bonjour');
      const response = await follow(turnId, 0, { by, path });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      const events = await Array.fromAsync(turnEventsIn(response));
      checkEvents(turnId, { after: 0, events, told: null, error: null });
      expect(events).toEqual(await client.allEvents(turnId));
    },
  );

  it('comes live, and from where a client was that was cut off', async () => {
    await using proxy = await CuttableProxy.to(app.url);
    const { turnId } = await client.ask(SILENT);
    const seen: WireEvent[] = [];
    const cut = async (): Promise<void> => {
      for await (const event of turnEventsIn(await follow(turnId, 0, { url: proxy.url }))) {
        seen.push(event);
        if (event.__typename === 'TextDelta') proxy.cut();
      }
    };
    await expect(cut()).rejects.toThrow('terminated');
    await cancel(turnId);
    const later = turnEventsIn(await follow(turnId, seen.length, { url: proxy.url }));
    for await (const event of later) seen.push(event);
    checkEvents(turnId, { after: 0, events: seen, told: null, error: null });
  });

  it('begins at once with a comment, and is kept alive by more while nothing happens', async () => {
    const { turnId } = await client.ask(SILENT);
    const { length } = await collectUntilText(turnId);
    vi.useFakeTimers({ toNotFake: ['setImmediate', 'performance'] });
    try {
      const events = readStream(await follow(turnId, length));
      expect(await events.next()).toMatchObject({ value: { event: 'comment' } });
      for (let time = 0; time < 2; time += 1) {
        vi.advanceTimersByTime(12_000);
        expect(await events.next()).toMatchObject({ value: { event: 'comment' } });
      }
    } finally {
      vi.useRealTimers();
      await cancel(turnId);
    }
  });

  it('ends with the token, and not as if the turn had ended', async () => {
    const { turnId } = await client.ask(SILENT);
    const shortly = await app.client({ ttlSeconds: 2 });
    const events = turnEventsIn(await follow(turnId, 0, { someone: shortly }));
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { __typename } of events) seen.push(__typename);
    };
    await expect(read()).rejects.toThrow('terminated');
    expect(seen).toContain('TextDelta');
    expect((await follow(turnId, 0, { someone: shortly })).status).toBe(401);
    await cancel(turnId);
  });

  it('ends with the server, and not as if the turn had ended', async () => {
    const ended = Promise.withResolvers<void>();
    const other = await startApp([[text('Bon'), { type: 'gate', until: ended.promise }, finish()]]);
    const someone = await other.client();
    const { turnId } = await someone.ask('Bonjour');
    const begun = Promise.withResolvers<void>();
    const read = async (): Promise<void> => {
      const events = turnEventsIn(await follow(turnId, 0, { url: other.url, someone }));
      for await (const { __typename } of events) if (__typename === 'TextDelta') begun.resolve();
    };
    const reading = read();
    await begun.promise;
    const stopped = other[Symbol.asyncDispose]();
    await expect(reading).rejects.toThrow('terminated');
    ended.resolve();
    await stopped;
  });
});

/** Its events so far, up to the first text. */
async function collectUntilText(turnId: string): Promise<WireEvent[]> {
  const seen: WireEvent[] = [];
  for await (const event of client.turnEvents(turnId)) {
    seen.push(event);
    if (event.__typename === 'TextDelta') break;
  }
  return seen;
}

describe('other operations over server-sent events', () => {
  it('have one result', async () => {
    expect(await all(await ask({ query: '{ viewer { role } }' }))).toEqual([
      { event: 'next', data: { data: { viewer: { role: 'ADMIN' } } } },
      { event: 'complete', data: null },
    ]);
    const mutation = 'mutation ($city: String!) { updateCompany(input: { city: $city }) { city } }';
    expect(await all(await ask({ query: mutation, variables: { city: 'Thiès' } }))).toEqual([
      { event: 'next', data: { data: { updateCompany: { city: 'Thiès' } } } },
      { event: 'complete', data: null },
    ]);
  });

  it('are answered with JSON where the client takes that too', async () => {
    const accept = `application/graphql-response+json, application/json, ${EVENTS}, multipart/mixed`;
    const response = await ask({ query: '{ viewer { role } }' }, { headers: { accept } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ data: { viewer: { role: 'ADMIN' } } });
  });
});

describe('a mistake in an operation', () => {
  const deep = `{ node(id: "x") { ... on Turn { ${'conversation { activeTurn { '.repeat(8)} id ${'} } '.repeat(8)} } } }`;
  const dear =
    '{ conversations(first: 100) { edges { node { messages(first: 100) { edges { node { a: text b: text } } } } } } }';
  const aliases = Array.from({ length: 31 }, (_, index) => `a${index}: viewer { id }`);

  it.each<[string, string, string, RegExp]>([
    ['no GraphQL', '{', 'BAD_USER_INPUT', /Syntax Error/],
    ['an unknown field', '{ nothing }', 'BAD_USER_INPUT', /Cannot query field "nothing"/],
    ['too deep', deep, 'BAD_USER_INPUT', /depth limit of 15/],
    ['too costly', dear, 'BAD_USER_INPUT', /the limit is 400000/],
    ['too many aliases', `{ ${aliases.join(' ')} }`, 'BAD_USER_INPUT', /Aliases limit of 30/],
    ['too many tokens', `{ viewer { ${'id '.repeat(6_000)} } }`, 'BAD_USER_INPUT', /2000 tokens/],
    ['one of two', 'query A { viewer { id } } query B { viewer { id } }', 'BAD_USER_INPUT', /operationName/],
    ['no such turn', 'subscription { turnEvents(turnId: "x") { sequence } }', 'NOT_FOUND', /no such turn/],
    [
      'a wrong sequence',
      'subscription { turnEvents(turnId: "x", after: -1) { sequence } }',
      'BAD_USER_INPUT',
      /not negative/,
    ],
  ])('is told by the stream, as a result with its code: %s', async (_what, query, code, message) => {
    const events = await all(await ask({ query }));
    expect(events).toEqual([
      {
        event: 'next',
        data: expect.objectContaining({
          errors: [
            expect.objectContaining({
              message: expect.stringMatching(message),
              extensions: expect.objectContaining({ code }),
            }),
          ],
        }),
      },
      { event: 'complete', data: null },
    ]);
  });
});

describe('a request for a stream', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const send = async (init: RequestInit, path = '/graphql'): Promise<unknown> => {
    const authorization = `Bearer ${client.token}`;
    const headers = { accept: EVENTS, authorization, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${app.url}${path}`, { ...init, headers });
    const { errors } = (await response.json()) as GraphQLAnswer<unknown>;
    return { status: response.status, code: errors?.map(({ extensions }) => extensions.code) };
  };

  it.each<[string, RequestInit, number, string]>([
    ['is not JSON', { method: 'POST', headers: JSON_TYPE, body: '{"query"' }, 400, 'BAD_USER_INPUT'],
    ['has no query', { method: 'POST', headers: JSON_TYPE, body: '{}' }, 400, 'BAD_USER_INPUT'],
    [
      'is a form',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'query={viewer{id}}',
      },
      415,
      'BAD_USER_INPUT',
    ],
    [
      'is too large',
      { method: 'POST', headers: JSON_TYPE, body: `{"query":"#${'x'.repeat(1024 * 1024)}"}` },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('is refused that %s', async (_what, init, status, code) => {
    for (const path of ['/graphql', '/graphql/stream']) {
      expect(await send(init, path)).toEqual({ status, code: [code] });
    }
  });

  it('changes nothing by GET', async () => {
    const query = 'mutation { updateCompany(input: { city: "Mbour" }) { city } }';
    const response = await ask({ query }, { by: 'GET' });
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'POST',
    });
    expect(await client.get('{ company { city } }')).not.toEqual({ company: { city: 'Mbour' } });
  });

  it.each<[string, Record<string, string>]>([
    ['nobody', {}],
    ['whoever has no good token', { authorization: 'Bearer nonsense' }],
    ['whoever has no token but something else', { authorization: 'Basic eDp5' }],
  ])('is refused to %s', async (_who, headers) => {
    for (const path of ['/graphql', '/graphql/stream']) {
      const response = await ask(
        { query: '{ __typename }' },
        { path, headers, someone: app.clientWith(null) },
      );
      expect(response.status).toBe(401);
      const { errors } = (await response.json()) as GraphQLAnswer<unknown>;
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    }
  });

  it.each(['/graphql', '/graphql/stream'])('may come from another site’s page: %s', async (path) => {
    const origin = 'https://other.example';
    const preflight = await fetch(`${app.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const response = await ask({ query: '{ viewer { role } }' }, { path, headers: { origin } });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(await all(response)).toHaveLength(2);
  });
});

describe('places for streams', () => {
  it('are taken one a subscription, given back when it ends or its client leaves, and told when there is none', async () => {
    await using small = await startApp(replyTo, { MAX_SUBSCRIPTIONS: '1' });
    const someone = await small.client();
    const asking = { url: small.url, someone };
    const { turnId } = await someone.ask(SILENT);
    const leaving = new AbortController();
    const first = readStream(await follow(turnId, 0, { ...asking, signal: leaving.signal }));
    await first.next();

    const refused = await follow(turnId, 0, asking);
    expect({ status: refused.status, wait: refused.headers.get('retry-after') }).toEqual({
      status: 429,
      wait: expect.stringMatching(/^\d+$/),
    });
    const { errors } = (await refused.json()) as GraphQLAnswer<unknown>;
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      { code: 'RATE_LIMITED', limit: 1, retryAfter: expect.any(Number) },
    ]);
    expect(await all(await ask({ query: '{ viewer { role } }' }, asking))).toHaveLength(2);

    leaving.abort();
    // The server hears of it when it does.
    let next = await follow(turnId, 0, asking);
    while (next.status === 429) next = await follow(turnId, 0, asking);
    await someone.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
    expect((await Array.fromAsync(turnEventsIn(next))).at(-1)).toMatchObject({ __typename: 'TurnDone' });
    // And when it has ended by itself, the place is free.
    for (let time = 0; time < 3; time += 1) {
      let again = await follow(turnId, 0, asking);
      while (again.status === 429) again = await follow(turnId, 0, asking);
      expect((await Array.fromAsync(turnEventsIn(again))).at(-1)).toMatchObject({ __typename: 'TurnDone' });
    }
  });
});
