import { cacheExchange, Client as UrqlClient, fetchExchange } from '@urql/core';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { RawSocket } from '../harness/raw-socket.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startApp(book.replyTo, {}, { isLasting: true });
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A turn that waits for its model until it is stopped. */
function askForever(conversation: object = { assistantKey: 'mefali' }) {
  return client.ask(
    book.add([text('Un instant. '), { type: 'gate', until: new Promise(() => undefined) }]),
    conversation,
  );
}

describe('what one operation shows', () => {
  it('is of the rows that are asked for, where two kinds of them are read for conversations', async () => {
    const { turnId } = await client.ask(book.add([text('Oui.'), finish()]));
    await client.allEvents(turnId);
    const { turn } = await client.get<{ turn: { conversation: Record<string, unknown> } }>(
      `query ($id: ID!) { turn(id: $id) { conversation {
         id indexProgress messages(first: 2) { edges { node { turn { conversation { id } } } } } } } }`,
      { id: turnId },
    );
    expect(turn.conversation.indexProgress).toEqual(expect.any(Number));
    expect(JSON.stringify(turn.conversation.messages)).toContain(`"id":"${turn.conversation.id as string}"`);
  });

  it('is what its mutations have done so far', async () => {
    const { turnId, conversationId } = await askForever();
    const waiting = await client.startTurn({ conversationId, message: 'Et puis ?', whenBusy: 'ENQUEUE' });
    const busy = 'conversation { activeTurn { id status } }';
    const { first, second } = await client.get<Record<'first' | 'second', { conversation: object }>>(
      `mutation ($first: ID!, $second: ID!) {
         first: cancelTurn(id: $second) { status ${busy} } second: cancelTurn(id: $first) { status ${busy} } }`,
      { first: turnId, second: waiting.turn?.id },
    );
    expect(first.conversation).toEqual({ activeTurn: { id: turnId, status: 'RUNNING' } });
    expect(second).toEqual({ status: 'CANCELLED', conversation: { activeTurn: null } });
  });

  describe('of a conversation while it is read', () => {
    /** Has `work` done right before what `ask` causes to be read as the `last`, when all before that has been read. */
    const interrupt = async <Shown>(
      ask: () => Promise<Shown>,
      last: number,
      work: () => Promise<unknown>,
    ): Promise<Shown> => {
      const { database } = app;
      const read = database.read.bind(database);
      const before = Promise.withResolvers<void>();
      let reads = 0;
      database.read = async (companyId, reading) => {
        const which = (reads += 1);
        if (which === last) await before.promise.then(work);
        const result = await read(companyId, reading);
        if (which === last - 1) before.resolve();
        return result;
      };
      const shown = await ask();
      database.read = read;
      expect(reads).toBeGreaterThanOrEqual(last);
      return shown;
    };

    /** Its messages and its turn, with `work` done between the reading of the one and that of the other. */
    const show = async (id: string, work: () => Promise<unknown>): Promise<string> => {
      const query = `query ($id: ID!) {
        conversation(id: $id) { messages { edges { node { text } } } activeTurn { id } } }`;
      return JSON.stringify(await interrupt(() => client.get(query, { id }), 3, work));
    };

    it('is the answer, or the turn that leads to it, when that ends', async () => {
      const gate = Promise.withResolvers<void>();
      const script = [text('Oui, '), { type: 'gate', until: gate.promise } as const, text('oui.'), finish()];
      const { turnId, conversationId } = await client.ask(book.add(script));
      const end = (): Promise<unknown> => {
        gate.resolve();
        return client.allEvents(turnId);
      };
      expect(await show(conversationId, end)).toMatch(new RegExp(`Oui, oui.|${turnId}`, 'u'));
    });

    it('is no new question without its turn', async () => {
      const { turnId, conversationId } = await client.ask(book.add([text('Oui.'), finish()]));
      await client.allEvents(turnId);
      let next = '';
      const goOn = async (): Promise<void> => {
        next = (await askForever({ conversationId })).turnId;
      };
      const shown = await show(conversationId, goOn);
      const { turn } = await client.get<{ turn: { question: { text: string } } }>(
        'query ($id: ID!) { turn(id: $id) { question { text } } }',
        { id: next },
      );
      if (shown.includes(turn.question.text)) expect(shown).toContain(next);
      await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: next });
    });

    it.each(['HTTP', 'a socket'])('is no error when it is deleted, over %s', async (way) => {
      const { turnId, conversationId: id } = await client.ask(book.add([text('Oui.'), finish()]));
      await client.allEvents(turnId);
      const query = `query ($id: ID!) {
        conversation(id: $id) { messages(first: 1) { edges { node { role turn { id question { id } } } } } } }`;
      const socket = await RawSocket.signedIn(app.url, client.token!);
      const ask = async (): Promise<unknown> => {
        if (way === 'HTTP') {
          const { httpStatus: _status, ...answer } = await client.send(query, { id });
          return answer;
        }
        socket.subscribe('read', query, { id });
        return (await socket.next()).payload;
      };
      const remove = (): Promise<unknown> =>
        client.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id });
      expect(await interrupt(ask, 4, remove)).toEqual({
        data: { conversation: { messages: { edges: [{ node: { role: 'USER', turn: null } }] } } },
      });
      await socket.close();
    });
  });
});

it('does not move a conversation up in which nothing was said', async () => {
  const of = `query ($id: ID!) { conversation(id: $id) { updatedAt } }`;
  const { turnId, conversationId } = await askForever();
  const waiting = await client.startTurn({ conversationId, message: 'Et puis ?', whenBusy: 'ENQUEUE' });
  const before = await client.get(of, { id: conversationId });
  await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: waiting.turn?.id });
  expect(await client.get(of, { id: conversationId })).toEqual(before);
  await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
});

it('answers urql’s client as its manual sets it up, which asks by GET', async () => {
  const urql = new UrqlClient({
    url: `${app.url}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${client.token!}` } },
  });
  const { data, error } = await urql.query('{ viewer { role } }', {}).toPromise();
  expect(error).toBeUndefined();
  expect(data).toMatchObject({ viewer: { role: 'ADMIN' } });
  // Without what a browser asks for first, another site's page could send it.
  const response = await fetch(`${app.url}/graphql?query=${encodeURIComponent('{ __typename }')}`);
  expect(response.status).toBe(400);
});

describe('an operation that is wrong', () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

  it.each([
    ['a condition on its field', 'subscription { turnEvents(turnId: "x") @include(if: false) { sequence } }'],
    [
      'a condition on a fragment',
      'subscription { ...All @skip(if: true) } fragment All on Subscription { turnEvents(turnId: "x") { sequence } }',
    ],
    [
      'a condition by variable',
      'subscription ($is: Boolean!) { ... { turnEvents(turnId: "x") @skip(if: $is) { sequence } } }',
    ],
    [
      'brackets without end',
      `mutation { updateCompany(input: { attributes: { a: ${deep(4_000)} } }) { id } }`,
    ],
  ])('for %s leaves the others of its socket alone', async (_for, query) => {
    const { turnId } = await askForever();
    const socket = await RawSocket.signedIn(app.url, client.token!);
    socket.subscribe('events', 'subscription ($id: ID!) { turnEvents(turnId: $id) { sequence } }', {
      id: turnId,
    });
    expect(await socket.next()).toMatchObject({ id: 'events', type: 'next' });
    socket.subscribe('wrong', query, { is: false });
    let answer = await socket.next();
    while (answer.id === 'events') answer = await socket.next();
    expect(answer).toMatchObject({
      id: 'wrong',
      type: 'error',
      payload: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
    socket.subscribe('right', '{ viewer { role } }');
    for (answer = await socket.next(); answer.id !== 'right';) answer = await socket.next();
    expect(answer).toMatchObject({ type: 'next', payload: { data: { viewer: { role: 'ADMIN' } } } });
    await socket.close();
    await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
  });

  it('is told so over HTTP, however deep its brackets go', async () => {
    const query = `mutation { updateCompany(input: { attributes: { a: ${deep(2_400)} } }) { id } }`;
    expect(await client.codes(query)).toEqual(['BAD_USER_INPUT']);
  });
});
