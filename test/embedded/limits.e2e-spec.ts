import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { getIntrospectionQuery } from 'graphql';
import type { Client } from 'graphql-ws';
import { finish, gate, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import type { ErrorCode } from '../../src/common/errors/domain-error.js';
import { newId } from '../../src/common/ids.js';
import { post } from '../harness/post.js';
import { lastOf } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { type TestClient, TURN_EVENTS } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const VIEWER = '{ viewer { id } }';

/** What an error tells about a limit. */
interface Refusal {
  message: string;
  extensions: { code: ErrorCode; retryAfter: number; limit: number };
}

function refused(limit: number, message: RegExp) {
  return {
    message: expect.stringMatching(message) as string,
    extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) as number, limit },
  };
}

/** Members of a company of their own, whom no other test has counted. */
async function membersOf(app: TestApp, count: number): Promise<TestClient[]> {
  const company = await app.company();
  return Promise.all(
    Array.from({ length: count }, (_, index) => app.client({ company, sub: `member ${index}` })),
  );
}

describe('operations in a minute', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp([], { MAX_OPERATIONS_PER_MINUTE: '3' });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const useUp = async (client: TestClient): Promise<void> => {
    for (let time = 0; time < 3; time += 1) await client.get(VIEWER);
  };

  it('are limited over HTTP with a status, a header and words', async () => {
    const [ada] = await membersOf(app, 1);
    await useUp(ada!);
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada!.token}` },
      body: JSON.stringify({ query: VIEWER }),
    });
    const { errors, ...rest } = (await response.json()) as { errors: Refusal[] };
    expect({ status: response.status, errors, rest }).toEqual({
      status: 429,
      errors: [refused(3, /^You have sent 3 operations within a minute/)],
      rest: {},
    });
    const { retryAfter } = errors[0]!.extensions;
    expect(response.headers.get('retry-after')).toBe(String(retryAfter));
    expect([retryAfter >= 1, retryAfter <= 60, Number.isInteger(retryAfter)]).toEqual([true, true, true]);
  });

  it('are limited on a socket as well, together with those over HTTP', async () => {
    const [ada] = await membersOf(app, 1);
    const ask = (): Promise<unknown[]> => Array.fromAsync(ada!.socket().iterate({ query: VIEWER }));
    await ada!.get(VIEWER);
    await ask();
    await ask();
    await expect(ask()).rejects.toEqual([refused(3, /^You have sent 3 operations/)]);
    expect((await ada!.send(VIEWER)).httpStatus).toBe(429);
  });

  it('are limited for the member alone', async () => {
    const [ada, grace] = await membersOf(app, 2);
    await useUp(ada!);
    expect(await ada!.codes(VIEWER)).toEqual(['RATE_LIMITED']);
    await useUp(grace!);
  });

  it('are limited for the company, and for no other company', async () => {
    const members = await membersOf(app, 6);
    const [elsewhere] = await membersOf(app, 1);
    await Promise.all(members.slice(0, 5).map(useUp));
    const { errors, httpStatus } = await members[5]!.send(VIEWER);
    expect({ errors, httpStatus }).toEqual({
      errors: [refused(15, /^Your company has sent 15 operations/)],
      httpStatus: 429,
    });
    await useUp(elsewhere!);
  });
});

describe('the time for which operations keep the thread busy in a minute', () => {
  /** Another one each time: what was read once is known. */
  const introspection = (): string => `${getIntrospectionQuery()} # ${newId()}`;
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp([], { MAX_THREAD_MS_PER_MINUTE: '1' });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const tooMuch = refused(1, /^Your operations have kept the server busy for 1 ms within a minute/);

  it('is limited over HTTP, however few operations took it, and for no other company', async () => {
    const [ada] = await membersOf(app, 1);
    const [elsewhere] = await membersOf(app, 1);
    await ada!.get(introspection());
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada!.token}` },
      body: JSON.stringify({ query: VIEWER }),
    });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 429,
      body: { errors: [tooMuch] },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await elsewhere!.get(VIEWER);
  });

  it('is limited on a socket and over server-sent events as well', async () => {
    const [ada] = await membersOf(app, 1);
    const socket = ada!.socket();
    const ask = (query: string): Promise<unknown[]> => Array.fromAsync(socket.iterate({ query }));
    await ask(introspection());
    await expect(ask(VIEWER)).rejects.toEqual([tooMuch]);
    const response = await fetch(`${app.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada!.token}` },
      body: JSON.stringify({ query: VIEWER }),
    });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 429,
      body: { errors: [tooMuch] },
    });
  });

  it('once used up, keeps large bodies from being read', async () => {
    const [ada] = await membersOf(app, 1);
    await ada!.get(introspection());
    // Not even what is no JSON is looked at.
    expect(
      await post(app.url, 'x'.repeat(2 * 1024 * 1024), { authorization: `Bearer ${ada!.token}` }),
    ).toEqual({ status: 429, errors: [tooMuch] });
  });
});

describe('operations of somebody who asks for much at once', () => {
  it('wait for each other up to a number, and those of others do not', async () => {
    await using app = await startApp([], { MAX_THREAD_MS_PER_MINUTE: '6000' });
    const [ada] = await membersOf(app, 1);
    const [elsewhere] = await membersOf(app, 1);
    // More than may wait, for each other and for the thread, however fast the machine.
    const all = Array.from({ length: 400 }, () => ada!.send(`${getIntrospectionQuery()} # ${newId()}`));
    const firstRefusal = Promise.any(
      all.map(async (answer) => (await answer).errors ?? Promise.reject(new Error('answered'))),
    );
    expect(await firstRefusal).toEqual([refused(100, /^100 operations wait for others of yours/)]);
    await elsewhere!.get(VIEWER);
  });
});

describe('connections', () => {
  /** Sends so many requests at once, and gives how many answers come before the end. */
  const answersTo = async (app: TestApp, count: number): Promise<number> => {
    const { port } = new URL(app.url);
    const socket = connect(Number(port), 'localhost');
    const request = 'GET /health/live HTTP/1.1\r\nHost: a\r\n';
    socket.on('error', () => undefined);
    socket.write(`${`${request}\r\n`.repeat(count - 1)}${request}Connection: close\r\n\r\n`);
    let said = '';
    socket.setEncoding('latin1').on('data', (text: string) => (said += text));
    await once(socket, 'close');
    return said.split('HTTP/1.1 200').length - 1;
  };

  it('are cut where requests are sent by the hundred without waiting for answers', async () => {
    await using app = await startApp([]);
    expect(await answersTo(app, 5)).toBe(5);
    expect(await answersTo(app, 300)).toBeLessThan(300);
    const client = (await membersOf(app, 1))[0]!;
    await client.get(VIEWER);
  });

  it('are limited in number, whoever opens them, until one is closed', async () => {
    await using app = await startApp([], { MAX_CONNECTIONS: '2' });
    const { port } = new URL(app.url);
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), 'localhost');
      await once(socket, 'connect');
      return socket;
    };
    const answered = async (socket: Socket): Promise<string> => {
      socket.setEncoding('latin1').write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
      return Promise.race([
        once(socket, 'data').then(([text]: string[]) => String(text).slice(0, 15)),
        once(socket, 'close').then(() => 'closed'),
      ]);
    };
    const [first, second] = [await open(), await open()];
    expect(await Promise.all([first, second].map(answered))).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
    const third = await open();
    third.on('error', () => undefined);
    expect(await answered(third).catch(() => 'closed')).toBe('closed');
    first.destroy();
    second.destroy();
  });
});

describe('what is under way', () => {
  let app: TestApp;
  const held = Promise.withResolvers<void>();

  beforeAll(async () => {
    app = await startApp(
      (body) =>
        lastOf(body).content.includes('hold')
          ? [text('So far'), gate(held.promise), finish()]
          : [text('Done.'), finish()],
      { MAX_SUBSCRIPTIONS: '2', MAX_TURNS_PER_MEMBER: '2' },
    );
  });
  afterAll(async () => {
    held.resolve();
    await app[Symbol.asyncDispose]();
  });

  const start = (client: TestClient, message: string, more: object = {}) =>
    client.send<{ startTurn: { turn: { id: string } } }>(
      `mutation ($input: StartTurnInput!) { startTurn(input: $input) { ... on TurnAccepted { turn { id } } } }`,
      { input: { assistantKey: 'mefali', message, ...more } },
    );

  describe('subscriptions', () => {
    /** Subscribes to a turn under way and gives the way to leave it, once its first event is there. */
    const subscribe = async (client: TestClient, turnId: string, socket: Client): Promise<() => unknown> => {
      const events = client.turnEvents(turnId, 0, socket);
      const first = await events.next();
      expect(first.done).toBe(false);
      return () => events.return();
    };

    const subscribeTwice = async (client: TestClient) => {
      const { turnId } = await client.ask('hold');
      const socket = client.socket();
      const leave = await subscribe(client, turnId, socket);
      await subscribe(client, turnId, socket);
      return { turnId, leave, more: () => subscribe(client, turnId, socket) };
    };

    /** Tries until there is room: that somebody has left is nothing the server tells. */
    const eventually = async (attempt: () => Promise<unknown>): Promise<void> => {
      for (;;) {
        try {
          await attempt();
          return;
        } catch (error) {
          expect(error).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
        }
      }
    };

    it('are limited for a member, and for nobody else by that, until one is left', async () => {
      const [ada, grace] = await membersOf(app, 2);
      const { leave, more } = await subscribeTwice(ada!);
      await expect(more()).rejects.toEqual([refused(2, /^You have 2 subscriptions under way/)]);
      await subscribeTwice(grace!);
      await leave();
      await eventually(more);
    });

    it('are limited over all sockets, until one is closed', async () => {
      const [ada] = await membersOf(app, 1);
      const { turnId } = await ada!.ask('hold');
      const sockets = [ada!.socket(), ada!.socket(), ada!.socket()];
      await subscribe(ada!, turnId, sockets[0]!);
      await subscribe(ada!, turnId, sockets[1]!);
      const more = () => subscribe(ada!, turnId, sockets[2]!);
      await expect(more()).rejects.toEqual([refused(2, /^You have 2 subscriptions/)]);
      sockets[0]!.terminate();
      await eventually(more);
    });

    it('that have ended have given their places back', async () => {
      const [ada] = await membersOf(app, 1);
      const { turnId } = await ada!.ask('Bonjour');
      for (let time = 0; time < 6; time += 1) {
        let events: unknown[] = [];
        await eventually(async () => (events = await ada!.allEvents(turnId)));
        expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone' });
      }
    });

    it('that could not begin have taken no place', async () => {
      const [ada] = await membersOf(app, 1);
      const none = '01900000-0000-7000-8000-000000000000';
      const socket = ada!.socket();
      const attempt = () =>
        Array.fromAsync(socket.iterate({ query: TURN_EVENTS, variables: { turnId: none, after: 0 } }));
      for (let time = 0; time < 6; time += 1) {
        await eventually(async () => {
          expect(await attempt()).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
        });
      }
    });

    it('are limited for a company', async () => {
      const members = await membersOf(app, 6);
      const busy = await Promise.all(members.slice(0, 5).map(subscribeTwice));
      const { turnId } = await members[5]!.ask('hold');
      const more = () => subscribe(members[5]!, turnId, members[5]!.socket());
      await expect(more()).rejects.toEqual([refused(10, /^Your company has 10 subscriptions under way/)]);
      await busy[0]!.leave();
      await eventually(more);
    });
  });

  describe('unfinished turns', () => {
    const startTwo = async (client: TestClient): Promise<string[]> =>
      [await client.ask('hold'), await client.ask('hold')].map(({ turnId }) => turnId);

    it('are limited for a member, and for nobody else by that, until one has ended', async () => {
      const [ada, grace] = await membersOf(app, 2);
      const [first] = await startTwo(ada!);
      const { data, errors } = await start(ada!, 'one more');
      expect({ data, errors }).toMatchObject({
        data: null,
        errors: [refused(2, /^You have 2 questions waiting for their answers.* cancel a turn\.$/)],
      });
      await startTwo(grace!);
      expect(await cancelTurn(ada!, first!)).toMatchObject({ status: 'CANCELLED' });
      const { turnId } = await ada!.ask('one more');
      expect((await ada!.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      await ada!.ask('and one more');
    });

    it('do not keep a request from being repeated', async () => {
      const [ada] = await membersOf(app, 1);
      const again = () => start(ada!, 'hold', { idempotencyKey: 'same' });
      const first = await again();
      await ada!.ask('hold');
      expect((await again()).data).toEqual(first.data);
    });

    it('are limited in a conversation as well, and leave no question behind', async () => {
      const [ada] = await membersOf(app, 1);
      const { conversationId } = await ada!.ask('hold');
      await ada!.ask('second', { conversationId });
      const third = await start(ada!, 'third', { conversationId, assistantKey: null });
      expect(third.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
      const { conversation } = await ada!.get<{ conversation: { messages: { edges: unknown[] } } }>(
        `query ($id: ID!) { conversation(id: $id) { messages(first: 9) { edges { cursor } } } }`,
        { id: conversationId },
      );
      expect(conversation.messages.edges).toHaveLength(2);
    });

    it('leave their room to the question that interrupts them, and to that one alone', async () => {
      const [ada] = await membersOf(app, 1);
      const { conversationId } = await ada!.ask('hold');
      const { turnId } = await ada!.ask('hold');
      const interrupt = (message: string) =>
        start(ada!, message, { conversationId, assistantKey: null, whenBusy: 'INTERRUPT' });
      expect((await interrupt('hold')).errors).toBeUndefined();
      expect((await start(ada!, 'one more')).errors).toMatchObject([
        { extensions: { code: 'RATE_LIMITED' } },
      ]);
      expect((await interrupt('hold')).errors).toBeUndefined();
      // What goes on elsewhere is not touched.
      expect(await turnOf(ada!, turnId)).toMatchObject({ status: 'RUNNING' });
    });

    it('are limited for a company', async () => {
      const members = await membersOf(app, 5);
      const [[first] = []] = await Promise.all(members.slice(0, 4).map(startTwo));
      expect((await start(members[4]!, 'hold')).errors).toMatchObject([
        refused(8, /^Your company has 8 questions waiting/),
      ]);
      await cancelTurn(members[0]!, first!);
      await members[4]!.ask('hold');
    });
  });
});

describe('operations without a token', () => {
  it('are limited for their address, while those with one are not', async () => {
    await using app = await startApp([]);
    const client = await app.client();
    const introspect = () => post(app.url, JSON.stringify({ query: '{ __schema { queryType { name } } }' }));
    for (let sent = 0; sent < 300; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, introspect));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect(await introspect()).toMatchObject({
      status: 429,
      errors: [refused(300, /^300 operations without a token came from this address/)],
    });
    await client.get(VIEWER);
  });
});

describe('bad tokens from one address', () => {
  const LIMIT = 600;

  it('are refused as too many, while a good one is taken', async () => {
    await using app = await startApp([]);
    const client = await app.client();
    const withBadToken = () =>
      post(app.url, JSON.stringify({ query: VIEWER }), { authorization: 'Bearer x' });
    for (let sent = 0; sent < LIMIT; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, withBadToken));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      // Good ones are not counted.
      await client.get(VIEWER);
    }
    expect(await withBadToken()).toMatchObject({
      status: 429,
      errors: [refused(LIMIT, /^The token is not valid\. Too many bad tokens came from this address/)],
    });
    await client.get(VIEWER);
    expect(await app.clientWith(null).codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    // A socket is refused as one with a bad token, which clients do not try again with.
    const closed = await Array.fromAsync(app.clientWith('x').socket().iterate({ query: VIEWER })).catch(
      (error: unknown) => error,
    );
    expect(closed).toMatchObject({ code: 4403 });
  });
});
