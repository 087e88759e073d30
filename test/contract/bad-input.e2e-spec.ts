import { once } from 'node:events';
import { connect } from 'node:net';
import { fairThread } from '@palabre/async';
import { finish, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { errorCodes } from '../../src/common/errors/domain-error.js';
import { newId } from '../../src/common/ids.js';
import { ANSWER } from '../harness/input-view.js';
import { post, type Posted } from '../harness/post.js';
import { RawSocket, type SocketMessage } from '../harness/raw-socket.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

type Operation = { query: string; variables?: object };

/** A question with this in it is never answered to the end. */
const SLOWLY = 'lentement';

const START = 'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }';

let app: TestApp;
let client: TestClient;
let conversationId: string;

beforeAll(async () => {
  app = await shareApp(({ messages }) => {
    const slowly = JSON.stringify((messages as object[]).at(-1)).includes(SLOWLY);
    return slowly ? [text('Bon'), hang()] : [text('Bonjour.'), finish()];
  });
  client = await app.client();
  const asked = await client.ask('Bonjour');
  ({ conversationId } = asked);
  await client.allEvents(asked.turnId);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Holds for every refusal: a code of the closed list, and nothing of what is inside. */
function expectFitToBeSeen(errors: GraphQLAnswer<unknown>['errors']): void {
  for (const { message, extensions } of errors ?? []) {
    expect(errorCodes).toContain(extensions.code);
    expect(message).not.toMatch(
      /\b(select|insert|update|relation|column|constraint|node_modules|postgres|typeorm)\b|\n\s+at |\.[jt]s\b/i,
    );
    expect(Object.keys(extensions)).not.toContain('stacktrace');
  }
  expect(errors).not.toEqual([]);
}

function bearer(): Record<string, string> {
  return { authorization: `Bearer ${client.token}` };
}

async function overHttp(operation: Operation): Promise<Posted> {
  const answer = await post(app.url, JSON.stringify(operation), bearer());
  expectFitToBeSeen(answer.errors);
  return answer;
}

/** The errors that an operation is answered with over a socket, whichever message brings them. */
async function overSocket({ query, variables }: Operation): Promise<GraphQLAnswer<unknown>['errors']> {
  const socket = await RawSocket.signedIn(app.url, client.token!);
  socket.subscribe('1', query, variables);
  const { type, payload } = await socket.next();
  await socket.close();
  const errors = (
    type === 'error' ? payload : (payload as GraphQLAnswer<unknown>).errors
  ) as GraphQLAnswer<unknown>['errors'];
  expectFitToBeSeen(errors);
  return errors;
}

/** Both ways an operation can come must refuse it alike. */
async function expectRefused(
  operation: Operation,
  error: object,
  expectedStatus: number = 200,
): Promise<void> {
  const { errors, status } = await overHttp(operation);
  expect({ status, errors }).toEqual({ status: expectedStatus, errors: [expect.objectContaining(error)] });
  expect(await overSocket(operation)).toEqual([expect.objectContaining(error)]);
}

function badArgument(...path: string[]): object {
  return {
    extensions: { code: 'BAD_USER_INPUT', path, argument: path.join('.') },
  };
}

function notFoundAt(field: string): object {
  return {
    path: [field],
    extensions: expect.objectContaining({ code: 'NOT_FOUND' }),
  };
}

function badRequest(message: RegExp): object {
  return {
    message: expect.stringMatching(message),
    extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }),
  };
}

describe('a question', () => {
  it.each([
    ['empty', ''],
    ['blank', ' \n\t\u00a0 '],
    ['made of NULs', '\0\0'],
    ['made of what nobody sees', '\u2060\u200d\u00ad'],
    ['of 100,001 characters', 'x'.repeat(100_001)],
  ])('is refused when %s', async (_what, message) => {
    await expectRefused(
      { query: START, variables: { input: { assistantKey: 'mefali', message } } },
      badArgument('input', 'message'),
    );
  });

  it('may have 100,000 characters', async () => {
    const message = 'é'.repeat(100_000);
    const { turnId } = await client.ask(message);
    const { turn } = await client.get<{ turn: { question: { text: string } } }>(
      'query ($id: ID!) { turn(id: $id) { question { text } } }',
      { id: turnId },
    );
    expect(turn.question.text === message).toBe(true);
  });

  it('is refused for a conversation together with another assistant, or without either', async () => {
    await expectRefused(
      { query: START, variables: { input: { conversationId, assistantKey: 'solven', message: 'x' } } },
      badArgument('input', 'assistantKey'),
    );
    await expectRefused(
      { query: START, variables: { input: { message: 'x' } } },
      badArgument('input', 'assistantKey'),
    );
  });

  it.each([
    ['an unknown assistant', 'assistantKey', { assistantKey: 'nobody' }],
    ['an assistant’s key with a NUL', 'assistantKey', { assistantKey: 'mefali\0' }],
    ['a conversation that is none', 'conversationId', { conversationId: 'x' }],
    ['a conversation that is not there', 'conversationId', { conversationId: newId() }],
    ['an empty id of a conversation', 'conversationId', { assistantKey: 'mefali', conversationId: '' }],
    ['an empty key of an assistant', 'assistantKey', { assistantKey: '' }],
    ['a document that is none', 'documentIds', { assistantKey: 'mefali', documentIds: ['x'] }],
  ])('is NOT_FOUND for %s, and names the field', async (_what, field, input) => {
    await expectRefused(
      { query: START, variables: { input: { ...input, message: 'x' } } },
      {
        path: ['startTurn'],
        extensions: { code: 'NOT_FOUND', path: ['input', field], argument: `input.${field}` },
      },
    );
  });

  it.each([
    ['assistantKey', { assistantKey: 'x'.repeat(101) }],
    ['idempotencyKey', { assistantKey: 'mefali', idempotencyKey: '' }],
    ['idempotencyKey', { assistantKey: 'mefali', idempotencyKey: 'x'.repeat(201) }],
    ['idempotencyKey', { assistantKey: 'mefali', idempotencyKey: 'a\0' }],
    ['documentIds', { assistantKey: 'mefali', documentIds: Array(101).fill(newId()) }],
  ])('names the field that is not usable: %s', async (field, input) => {
    await expectRefused(
      { query: START, variables: { input: { ...input, message: 'x' } } },
      badArgument('input', field),
    );
  });
});

describe('other arguments', () => {
  const cursor = (text: string): string => Buffer.from(text).toString('base64url');

  it.each([
    ['first', 'conversations(first: -1)'],
    ['first', 'conversations(first: 101)'],
    ['last', 'conversations(last: 101)'],
    ['last', 'conversations(first: 1, last: 1)'],
    ['after', 'conversations(after: "x")'],
    ['before', `conversations(before: "${cursor('abc~def')}")`],
    ['after', `conversations(after: "${cursor(`2026-01-01T00:00:00.000Z~${newId()}~x`)}")`],
  ])('are named when they cannot be: %s of %s', async (argument, field) => {
    await expectRefused({ query: `{ ${field} { edges { cursor } } }` }, badArgument(argument));
  });

  it('are named when a subscription’s cannot be', async () => {
    const { turnId } = await client.ask('Encore');
    const query =
      'subscription ($id: ID!, $after: Int) { turnEvents(turnId: $id, after: $after) { sequence } }';
    expect(await overSocket({ query, variables: { id: turnId, after: -1 } })).toEqual([
      expect.objectContaining(badArgument('after')),
    ]);
  });

  it('that name nothing are answered so', async () => {
    expect(
      await client.get('{ a: assistant(key: "nobody") { id } b: assistant(key: "\\u0000") { id } }'),
    ).toEqual({
      a: null,
      b: null,
    });
    for (const key of ['nothing', '\\u0000', "' OR true --"]) {
      await expectRefused(
        { query: `mutation { setSkillActive(key: "${key}", active: true) { id } }` },
        notFoundAt('setSkillActive'),
      );
    }
  });
});

describe('variables of a wrong type', () => {
  const withId = 'query ($id: ID!) { turn(id: $id) { id } }';

  it.each<[string, Operation, RegExp]>([
    ['absent', { query: withId }, /"\$id" of required type "ID!" was not provided/],
    ['null', { query: withId, variables: { id: null } }, /"\$id" of non-null type/],
    ['an object', { query: withId, variables: { id: { a: 1 } } }, /"\$id" got invalid value/],
    [
      'a number for a text',
      { query: START, variables: { input: { assistantKey: 'mefali', message: 1 } } },
      /at "input.message"; String cannot represent/,
    ],
    [
      'another enum’s value',
      { query: START, variables: { input: { message: 'x', whenBusy: 'MAYBE' } } },
      /"MAYBE" at "input.whenBusy"; Value "MAYBE" does not exist in "WhenBusy" enum/,
    ],
    [
      'an unknown field',
      { query: START, variables: { input: { message: 'x', company: 'other' } } },
      /Field "company" is not defined/,
    ],
    [
      'too large for an Int',
      {
        query: 'query ($n: Int) { conversations(first: $n) { edges { cursor } } }',
        variables: { n: 2 ** 31 },
      },
      /Int cannot represent/,
    ],
  ])('are refused by name: %s', async (_what, operation, message) => {
    await expectRefused(operation, badRequest(message), 200);
  });
});

describe('a document', () => {
  const nested = (levels: number): string =>
    `query { node(id: "x") { ... on Turn { ${'conversation { activeTurn { '.repeat(levels / 2)} id ${'} } '.repeat(levels / 2)} } } }`;
  const spread = (count: number, of: (next: string) => string): string =>
    Array.from(
      { length: count },
      (_, index) =>
        `fragment F${index} on Query { ${index + 1 < count ? of(`...F${index + 1}`) : 'viewer { id }'} }`,
    ).join(' ');

  it.each<[string, string, RegExp]>([
    ['of broken syntax', '{ viewer {', /Syntax Error/],
    ['with an unknown field', '{ viewer { password } }', /Cannot query field "password"/],
    [
      'with an argument of a wrong enum',
      'mutation { startTurn(input: { message: "x", whenBusy: MAYBE }) { __typename } }',
      /MAYBE/,
    ],
    ['30 levels deep', nested(30), /depth limit of 15 exceeded, found 32/],
    ['hundreds of levels deep', nested(600), /depth limit of 15 exceeded/],
    [
      'with 200 aliases',
      `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: viewer { id }`).join(' ')} }`,
      /Aliases limit of 30 exceeded, found 200/,
    ],
    [
      'that may show too much',
      '{ conversations(first: 100) { edges { node { messages(first: 100) { edges { node { a: text b: text } } } } } } }',
      /its cost is 430300, and the limit is 400000/,
    ],
    [
      'that may show the prompts of many turns',
      '{ conversations(first: 100) { edges { node { activeTurn { prompts { id } } } } } }',
      /its cost is 1600500, and the limit is 400000/,
    ],
    ['with a fragment bomb', `{ ...F0 } ${spread(40, (next) => `${next} ${next}`)}`, /more than 2000 fields/],
    ['of too many tokens', `{ viewer { ${'id '.repeat(6_000)} } }`, /2000 tokens/],
    [
      'that looks at types of types of types',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      /introspection depth/,
    ],
    ['with an operation that is not there', 'fragment F on Query { viewer { id } }', /./],
  ])('is refused before it is executed: %s', async (_what, query, message) => {
    await expectRefused({ query }, badRequest(message), 200);
  });

  it('is refused for its depth however it is cut into fragments', async () => {
    const steps = Array.from(
      { length: 10 },
      (_, i) => `fragment S${i} on Turn { conversation { activeTurn { ${i < 9 ? `...S${i + 1}` : 'id'} } } }`,
    );
    const query = `{ node(id: "x") { ...S0 } } ${steps.join(' ')}`;
    await expectRefused({ query }, badRequest(/depth limit of 15 exceeded, found 22/), 200);
  });

  it('is refused when its fragments go in circles', async () => {
    const query = '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }';
    await expectRefused({ query }, badRequest(/Cannot spread fragment "A" within itself via "B"/), 200);
  });

  it('is refused for what its variables make it cost', async () => {
    const query =
      'query ($n: Int) { conversations(first: $n) { edges { node { messages(first: $n) { edges { node { a: text b: text } } } } } } }';
    await expectRefused({ query, variables: { n: 100 } }, badRequest(/cost is 430300/), 200);
    expect((await client.send(query, { n: 10 })).errors).toBeUndefined();
  });

  it('needs an operation’s name when it has several', async () => {
    const { errors, status } = await overHttp({
      query: 'query A { viewer { id } } query B { viewer { id } }',
    });
    expect({ status, errors }).toEqual({
      status: 200,
      errors: [expect.objectContaining(badRequest(/operation/))],
    });
  });
});

describe('a body', () => {
  const unusableKey = /^No key in the body may be `__proto__`, nor `prototype` inside `constructor`\.$/;

  it.each<[string, string, RegExp]>([
    ['broken JSON', '{"query": "{ viewer', /^The body is not valid JSON\.$/],
    ['nothing', '', /./],
    ['a batch', '[{"query":"{ viewer { id } }"}]', /batching disabled/i],
    ['no query', '{}', /./],
    ['variables in a text', '{"query":"{ viewer { id } }","variables":"{broken"}', /`variables`/],
    ['a key for JavaScript’s prototypes', '{"query":"{ viewer { id } }","__proto__":{"a":1}}', unusableKey],
    ['one in a variable', '{"query":"{ viewer { id } }","variables":{"k":1,"__proto__":1}}', unusableKey],
    [
      'one in a constructor',
      '{"query":"{ viewer { id } }","variables":{"a":{"constructor":{"prototype":1}}}}',
      unusableKey,
    ],
    ['a list of variables', '{"query":"query ($id: ID!) { turn(id: $id) { id } }","variables":[1]}', /./],
  ])('is refused that holds %s', async (_what, body, message) => {
    const { status, errors } = await post(app.url, body, bearer());
    expectFitToBeSeen(errors);
    expect({ status, errors }).toEqual({
      status: 400,
      errors: [expect.objectContaining(badRequest(message))],
    });
  });

  it('is parsed in the turn of its company if it is large, and at once otherwise', async () => {
    const inTurn = vi.spyOn(fairThread, 'inTurn');
    const send = (characters: number): Promise<unknown> =>
      client.codes('query ($id: ID!) { node(id: $id) { id } }', { id: 'x'.repeat(characters) });
    await send(10);
    expect(inTurn).not.toHaveBeenCalled();
    await send(100_000);
    expect(inTurn).toHaveBeenCalledOnce();
    inTurn.mockRestore();
  });

  it('is refused that is too large', async () => {
    const operation = { query: START, variables: { input: { message: 'x'.repeat(1024 * 1024) } } };
    const { status, errors } = await overHttp(operation);
    expect({ status, errors }).toEqual({
      status: 413,
      errors: [
        {
          message: expect.stringMatching(/at most 1048576 bytes.* import .* at most 16777216\.$/),
          extensions: { code: 'PAYLOAD_TOO_LARGE' },
        },
      ],
    });
  });

  it('is refused that holds an answer of a front end as large as an import', async () => {
    const input = { clientSkill: { id: newId(), result: 'x'.repeat(1024 * 1024) } };
    const { status, errors } = await overHttp({ query: ANSWER, variables: { input } });
    expect([status, errors?.[0]?.extensions]).toMatchObject([
      413,
      { code: 'BAD_USER_INPUT', argument: 'input.clientSkill.result' },
    ]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/xml'])(
    'is refused as %s, which another site’s form could send',
    async (contentType) => {
      const { status, errors } = await post(app.url, '{"query":"{ viewer { id } }"}', {
        ...bearer(),
        'content-type': contentType,
      });
      expectFitToBeSeen(errors);
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
      expect([400, 415]).toContain(status);
    },
  );

  it('cannot hold a subscription', async () => {
    const query = 'subscription { turnEvents(turnId: "x") { sequence } }';
    const { status, errors } = await overHttp({ query });
    expect({ status, errors }).toEqual({
      status: 200,
      errors: [expect.objectContaining(badRequest(/needs a WebSocket/))],
    });
  });
});

describe('an address', () => {
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}${path}`, { method, headers: { ...bearer(), ...headers } });
    const { errors } = (await response.json()) as GraphQLAnswer<unknown>;
    expectFitToBeSeen(errors);
    return { status: response.status, code: errors?.[0]?.extensions.code };
  };
  const mutation = encodeURIComponent('mutation { updateCompany(input: { city: "x" }) { id } }');

  it('changes nothing by GET', async () => {
    expect(await ask('GET', `/graphql?query=${mutation}`)).toEqual({ status: 405, code: 'BAD_USER_INPUT' });
    // Without a token or another header that a browser would ask about first, not even read.
    const response = await fetch(`${app.url}/graphql?query=${mutation}`);
    expect(response.status).toBe(400);
  });

  it.each([
    ['GET', '/nope', 404, 'NOT_FOUND'],
    ['POST', '/', 404, 'NOT_FOUND'],
    ['DELETE', '/graphql', 404, 'NOT_FOUND'],
    ['GET', '/%', 400, 'BAD_USER_INPUT'],
    ['GET', '/health/%c0', 400, 'BAD_USER_INPUT'],
  ])('that there is not, is told the way GraphQL tells errors: %s %s', async (method, path, status, code) => {
    expect(await ask(method, path)).toEqual({ status, code });
  });
});

describe('a socket', () => {
  const closedAfter = async (messages: (object | string)[]): Promise<number> => {
    const socket = await RawSocket.open(app.url);
    for (const message of messages) socket.send(message);
    return (await socket.closed).code;
  };
  const init = (): object => ({ type: 'connection_init', payload: bearer() });

  it.each<[string, () => (object | string)[], number]>([
    [
      'an operation before it is signed in',
      () => [{ type: 'subscribe', id: '1', payload: { query: '{ viewer { id } }' } }],
      4401,
    ],
    ['broken JSON', () => ['{"type":'], 4400],
    ['no message of the protocol', () => [{ type: 'shout' }], 4400],
    [
      'variables that are no object',
      () => [init(), { type: 'subscribe', id: '1', payload: { query: '{ viewer { id } }', variables: 'x' } }],
      4400,
    ],
    ['a second signing in', () => [init(), init()], 4429],
    ['a message that is too large', () => [init(), 'x'.repeat(1024 * 1024 + 1)], 1009],
  ])('is closed for %s', async (_what, messages, code) => {
    expect(await closedAfter(messages())).toBe(code);
  });

  const FOLLOW = 'subscription ($id: ID!) { turnEvents(turnId: $id) { sequence } }';

  it('is closed for a second operation under one id', async () => {
    const { turnId } = await client.ask(SLOWLY);
    const socket = await RawSocket.signedIn(app.url, client.token!);
    socket.subscribe('same', FOLLOW, { id: turnId });
    expect(await socket.next()).toMatchObject({ type: 'next', id: 'same' });
    socket.subscribe('same', FOLLOW, { id: turnId });
    expect((await socket.closed).code).toBe(4409);
    await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
  });

  it.each(['__proto__', 'constructor', 'toString'])('takes %s for an id like any other', async (id) => {
    const socket = await RawSocket.signedIn(app.url, client.token!);
    socket.subscribe(id, '{ viewer { role } }');
    expect(await socket.next()).toEqual({
      type: 'next',
      id,
      payload: { data: { viewer: { role: 'ADMIN' } } },
    });
    await socket.close();
  });

  it('has at most 100 operations under way, and takes another when one has ended', async () => {
    const { turnId } = await client.ask(SLOWLY);
    const socket = await RawSocket.signedIn(app.url, client.token!);
    const follow = async (id: string): Promise<SocketMessage> => {
      socket.subscribe(id, FOLLOW, { id: turnId });
      for (;;) {
        const message = await socket.next();
        if (message.id === id) return message;
      }
    };
    for (let count = 1; count <= 100; count += 1) {
      expect(await follow(String(count))).toMatchObject({ type: 'next' });
    }
    expect(await follow('one more')).toEqual({
      type: 'error',
      id: 'one more',
      payload: [
        {
          message: 'A socket has at most 100 operations under way. End one, or open another socket.',
          extensions: { code: 'RATE_LIMITED', limit: 100, retryAfter: 1 },
        },
      ],
    });
    socket.send({ type: 'complete', id: '1' });
    expect(await follow('another')).toMatchObject({ type: 'next' });
    await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
    await socket.close();
  });

  it('to an unknown address is refused, and a client that is gone by then does no harm', async () => {
    await expect(RawSocket.open(app.url, '/nope')).rejects.toThrow('404');
    const { port } = new URL(app.url);
    const upgrade =
      'GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    const gone = Array.from({ length: 50 }, async () => {
      const socket = connect(Number(port), 'localhost');
      await once(socket, 'connect');
      await new Promise<void>((resolve) => socket.write(upgrade, () => resolve()));
      socket.resetAndDestroy();
      await once(socket, 'close');
    });
    await Promise.all(gone);
    expect(await client.get('{ viewer { role } }')).toEqual({ viewer: { role: 'ADMIN' } });
  });
});
