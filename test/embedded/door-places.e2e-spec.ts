import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { postAgUi } from '../harness/ag-ui.js';
import { eventually } from '../harness/eventually.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startApp(book.replyTo, { MAX_SUBSCRIPTIONS: '1' });
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

async function countTurns(): Promise<number> {
  const { turns } = await client.get<{ turns: { edges: object[] } }>(
    '{ turns(first: 100) { edges { cursor } } }',
  );
  return turns.edges.length;
}

function post(path: string, body: JsonObject, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${client.token}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

function agUi() {
  return {
    threadId: newId(),
    runId: newId(),
    messages: [{ id: 'u', role: 'user', content: book.add([text('Oui.'), finish()]) }],
  };
}
function aiSdk() {
  return {
    id: newId(),
    messages: [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: book.add([text('Oui.'), finish()]) }] },
    ],
  };
}
function mcp() {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask_mefali', arguments: { message: book.add([text('Oui.'), finish()]) } },
  };
}

it('begins no turn where there is no place to follow it from', async () => {
  const waits = barrier();
  const left = new AbortController();
  const held = await fetch(`${app.url}/ag-ui/mefali`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    body: JSON.stringify({
      ...agUi(),
      messages: [{ id: 'u', role: 'user', content: book.add([text('Un'), waits.step, finish()]) }],
    }),
    signal: left.signal,
  });
  await waits.reached;
  const before = await countTurns();
  const messages = [{ role: 'user', content: book.add([text('Oui.'), finish()]) }];
  const chat = { model: 'mefali', messages };
  const response = { model: 'mefali', input: book.add([text('Oui.'), finish()]) };
  for (const [path, body] of [
    ['/ag-ui/mefali', agUi()],
    ['/ai-sdk/mefali', aiSdk()],
    ['/v1/responses', response],
    ['/v1/responses', { ...response, stream: true }],
    ['/v1/chat/completions', chat],
    ['/v1/chat/completions', { ...chat, stream: true }],
    ['/mcp', mcp()],
  ] as const) {
    const refused = await post(path, body);
    expect([path, refused.status]).toEqual([path, 429]);
    expect(await refused.text()).toContain('subscriptions');
  }
  expect(await countTurns()).toBe(before);
  left.abort();
  await held.body?.cancel().catch(() => undefined);
  // The place is given back, and again after a request that begins nothing.
  await eventually(
    async () => (await post('/ag-ui/nobody', agUi())).status,
    (status) => status === 404,
  );
  expect((await (await post('/v1/chat/completions', chat)).json()) as object).toMatchObject({
    choices: [{ message: { content: 'Oui.' } }],
  });
  waits.open();
});

it('begins no turn for a request that names no frame of a run', async () => {
  const before = await countTurns();
  const refused = await postAgUi(client, 'mefali', agUi(), { 'last-event-id': 'x' });
  expect(refused.status).toBe(400);
  expect((await post('/ai-sdk/mefali', aiSdk(), { 'last-event-id': 'x' })).status).toBe(400);
  expect(await countTurns()).toBe(before);
});

it('takes in no files of a question that has too many', async () => {
  const files = Array.from({ length: 21 }, (_, index) => ({
    type: 'document',
    source: { type: 'data', value: btoa(`${index}`), mimeType: 'text/plain' },
  }));
  const content = [{ type: 'text', text: 'Look' }, ...files];
  const refused = await postAgUi(client, 'mefali', {
    ...agUi(),
    messages: [{ id: 'u', role: 'user', content }],
  });
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'BAD_USER_INPUT' }]);
  expect(app.storage.keys).toEqual([]);
});

it('reads no more tools than a front end may have', async () => {
  const tools = Array.from({ length: 10_000 }, () => ({ name: 'a' }));
  expect(await (await postAgUi(client, 'mefali', { ...agUi(), tools })).json()).toMatchObject({
    argument: 'tools',
  });
  expect(await (await post('/ai-sdk/mefali', { ...aiSdk(), tools })).json()).toMatchObject({
    argument: 'tools',
  });
});

it.each([
  '/v1/responses',
  '/v1/responses/compact',
  '/v1/chat/completions',
  '/ag-ui/mefali',
  '/ag-ui/mefali/cancel',
  '/ai-sdk/mefali',
])('%s says that it takes JSON, where it is sent as something else', async (path) => {
  // As curl sends it without a header.
  for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
    const refused = await post(path, agUi(), { 'content-type': type });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Content-Type: application/json');
  }
});
