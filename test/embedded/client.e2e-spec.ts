import { createPalabre, initialTurn, type Palabre, reduceTurn, type TurnEvent } from '@palabre/client';
import { finish, gate, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { CuttableProxy } from '../harness/cuttable-proxy.js';
import { readRequest } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

/** Questions whose answers stop in the middle until the test lets them go on. */
const gates = new Map<string, Promise<void>>();

function replyTo(body: object): ProviderReply {
  const { messages } = readRequest(body as Parameters<typeof readRequest>[0]);
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (question === 'Patience') return [text('Bon'), hang()];
  if (messages.at(-1)?.role !== 'tool') {
    return [text('Je regarde. '), toolCall('get_company_profile', {}), finish()];
  }
  const until = gates.get(question) ?? Promise.resolve();
  return [text('Vous êtes '), gate(until), text('« Demo ».'), finish()];
}

/** Where the server is for clients. */
let front: CuttableProxy;
let app: TestApp;
let ada: TestClient;
let palabre: Palabre;

beforeAll(async () => {
  front = await CuttableProxy.to('http://127.0.0.1:1');
  app = await startApp(replyTo, { PUBLIC_URL: front.url });
  front.leadTo(app.url);
  ada = await app.client();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await front[Symbol.asyncDispose]();
});
beforeEach(() => {
  palabre = createPalabre({ url: front.url, token: ada.token });
});
afterEach(async () => {
  front.refusesUpgrades = false;
  await palabre.close();
});

async function storedText(messageId: string | null): Promise<string> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Message { text } } }';
  return (await ada.get<{ node: { text: string } }>(query, { id: messageId })).node.text;
}

/** A question whose answer stops in the middle, and what lets it go on. */
function questionInTwoParts(): { message: string; goOn: () => void } {
  const message = `Question ${gates.size}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(message, promise);
  return { message, goOn: resolve };
}

it('asks, follows and has the answer, which is the stored one', async () => {
  const turn = palabre.ask({ assistantKey: 'mefali', message: 'Qui sommes-nous ?' });
  const events: TurnEvent[] = await Array.fromAsync(turn);
  const { text, steps, status, messageId, conversationId, turnId } = await turn.answer;
  expect({ text, status }).toEqual({ text: 'Vous êtes « Demo ».', status: 'COMPLETED' });
  expect(text).toBe(await storedText(messageId));
  expect(steps).toMatchObject([
    { kind: 'preamble', text: 'Je regarde. ' },
    { kind: 'skill', skill: 'get_company_profile', status: 'SUCCEEDED' },
  ]);
  expect(events).toMatchObject(await ada.allEvents(turnId));

  const again = await palabre.regenerate({ messageId: messageId! }).answer;
  expect(again).toMatchObject({ conversationId, text });
  expect(again.messageId).not.toBe(messageId);
});

describe.each([
  ['a WebSocket', false],
  ['event streams, where no WebSocket gets through', true],
])('over %s', (_how, refusesUpgrades) => {
  beforeEach(() => {
    front.refusesUpgrades = refusesUpgrades;
  });

  it('goes on where it was whenever the connection is cut', async () => {
    const { message, goOn } = questionInTwoParts();
    const turn = palabre.ask({ assistantKey: 'mefali', message });
    const events: TurnEvent[] = [];
    let cuts = 0;
    for await (const event of turn) {
      events.push(event);
      if (event.__typename !== 'TextDelta' && event.__typename !== 'SkillFinished') continue;
      front.cut();
      cuts += 1;
      if (event.__typename === 'TextDelta' && event.text === 'Vous êtes ') goOn();
    }
    expect(cuts).toBeGreaterThan(2);
    const { turnId, text, messageId } = await turn.answer;
    expect(events).toMatchObject(await ada.allEvents(turnId));
    expect(text).toBe(await storedText(messageId));
  });

  it('shows the same in a second tab that joins in the middle', async () => {
    const { message, goOn } = questionInTwoParts();
    const turn = palabre.ask({ assistantKey: 'mefali', message });
    for await (const { __typename } of turn) if (__typename === 'SkillFinished') break;
    const { turnId } = await turn.started;
    let state = initialTurn;
    for await (const event of palabre.follow(turnId)) {
      state = reduceTurn(state, event);
      if (state.text === 'Vous êtes ') goOn();
    }
    expect(state.text).toBe((await turn.answer).text);
    expect(turn.state).toEqual(state);
  });

  it('cancels, and keeps what was said', async () => {
    const turn = palabre.ask({ assistantKey: 'mefali', message: 'Patience' });
    for await (const { __typename } of turn) if (__typename === 'TextDelta') await turn.cancel();
    const { text, status, messageId } = await turn.answer;
    expect({ text, status }).toEqual({ text: 'Bon', status: 'CANCELLED' });
    expect(await storedText(messageId)).toBe('Bon');
  });

  it('stops to follow by a signal, and the turn goes on', async () => {
    const { message, goOn } = questionInTwoParts();
    const leaving = new AbortController();
    const turn = palabre.ask({ assistantKey: 'mefali', message }, { signal: leaving.signal });
    await expect(
      (async () => {
        for await (const { __typename } of turn) if (__typename === 'SkillFinished') leaving.abort();
      })(),
    ).rejects.toThrow('abort');
    goOn();
    const { turnId } = await turn.started;
    const events = await Array.fromAsync(palabre.follow(turnId, turn.state.sequence));
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
  });

  it('gives the code of what is refused', async () => {
    await expect(palabre.ask({ assistantKey: 'nobody', message: 'Bonjour' }).answer).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(Array.fromAsync(palabre.follow('t-1'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const stranger = createPalabre({ url: front.url, token: 'none' });
    await expect(Array.fromAsync(stranger.follow('t-1'))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await stranger.close();
  });

  it('signs in anew when the token has run out, and goes on', async () => {
    const { message, goOn } = questionInTwoParts();
    let tokens = 0;
    const token = async (): Promise<string | null> => {
      tokens += 1;
      // The second one is for the stream, the first for the question.
      return (await app.client({ ttlSeconds: tokens === 2 ? 2 : 3600 })).token;
    };
    const signedIn = createPalabre({ url: front.url, token });
    const turn = signedIn.ask({ assistantKey: 'mefali', message });
    const { answer } = turn;
    await vi.waitUntil(() => tokens > 2, { timeout: 60_000 });
    goOn();
    expect((await answer).text).toBe('Vous êtes « Demo ».');
    await signedIn.close();
  });
});

it('sends a file, says how far it is, and how far it has been read', async () => {
  const words = 'Le karité de Kolda est mûr en juillet. '.repeat(6_000);
  const file = new File([words], 'recolte.txt', { type: 'text/plain' });
  const sent: number[] = [];
  const id = await palabre.uploadDocument(file, { onProgress: (bytes) => void sent.push(bytes) });
  expect(sent.length).toBeGreaterThan(2);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  expect(sent.at(-1)).toBe(file.size);
  const states = await Array.fromAsync(palabre.documentProgress(id));
  expect(states.at(-1)).toMatchObject({ id, name: 'recolte.txt', status: 'COMPLETED' });
});

it('tells why a file cannot be read in the language of whoever sends it', async () => {
  const id = await palabre.uploadDocument(new File(['  \n '], 'blanc.txt'));
  const states = await Array.fromAsync(palabre.documentProgress(id, { language: 'fr' }));
  expect(states.at(-1)).toMatchObject({ error: expect.stringContaining('ne contient que des espaces') });
});

it('gives the code of a file that is refused, and stops one by a signal', async () => {
  const misnamed = new File(['x'], `${'x'.repeat(300)}.txt`);
  await expect(palabre.uploadDocument(misnamed)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const file = new File(['x'.repeat(2_000_000)], 'long.txt');
  const stopping = new AbortController();
  const { signal } = stopping;
  const onProgress = (): void => stopping.abort(new Error('Enough.'));
  await expect(palabre.uploadDocument(file, { signal, onProgress })).rejects.toThrow('Enough.');
});
