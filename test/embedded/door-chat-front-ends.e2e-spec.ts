/**
 * What front ends send that npm does not have, as their sources make it: Open WebUI (`routers/openai.py`, `routers/tasks.py`,
 * `utils/headers.py`) and LibreChat (`endpoints/openai/llm.ts`, `controllers/agents/request.js`, over LangChain's client),
 * set up as docs/doors/openai.md says. Only what a person writes is another each time.
 */
import type { JsonObject } from '@palabre/json';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;
let bea: TestClient;
let apiKey: string;

beforeAll(async () => {
  app = stack.use(await startApp(book.replyTo));
  ada = await app.client();
  bea = await app.client({ sub: 'bea', role: 'MEMBER', email: 'bea@example.org' });
  await bea.get('{ viewer { id } }');
  const { createApiKey } = await ada.get<{ createApiKey: { secret: string } }>(
    `mutation { createApiKey(input: { name: "UI", scopes: [TURNS, SPEAK_FOR_OTHERS] }) { secret } }`,
  );
  apiKey = createApiKey.secret;
});
afterAll(() => stack.disposeAsync());

async function complete(headers: Record<string, string>, body: object): Promise<string> {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What a stream says, as these clients put it together. */
function saidIn(stream: string): string {
  expect(stream.trimEnd().endsWith('data: [DONE]')).toBe(true);
  const chunks = stream.split('\n').filter((line) => line.startsWith('data: {'));
  return chunks
    .map((line) => JSON.parse(line.slice('data: '.length)) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}

/** Of her newest conversation, and how many she has. */
async function hers(): Promise<{ texts: string[]; count: number }> {
  const { conversations } = await bea.get<{
    conversations: { edges: { node: { messages: { edges: { node: { text: string } }[] } } }[] };
  }>('{ conversations(first: 50) { edges { node { messages(first: 20) { edges { node { text } } } } } } }');
  const texts = (conversations.edges[0]?.node.messages.edges ?? []).map(({ node }) => node.text);
  return { texts, count: conversations.edges.length };
}

function said(words: string): string {
  return book.add([text(words), finish()]);
}

describe('Open WebUI', () => {
  const chat = newId();
  /** ENABLE_FORWARD_USER_INFO_HEADERS, and the connection's own headers with their placeholders filled in. */
  const headersOf = (task: string) => ({
    'user-agent': 'Python/3.11 aiohttp/3.12.15',
    'X-OpenWebUI-User-Name': 'Bea%20B',
    'X-OpenWebUI-User-Id': '9a1c',
    'X-OpenWebUI-User-Email': 'bea@example.org',
    'X-OpenWebUI-User-Role': 'user',
    'X-OpenWebUI-Chat-Id': chat,
    'X-OpenWebUI-Message-Id': newId(),
    'X-Palabre-Conversation': chat,
    'X-Palabre-Task': task,
    'X-Palabre-On-Disconnect': 'cancel',
  });
  const system = { role: 'system', content: 'User Context:\n\nThe user is Bea.' };
  const chatBody = (...messages: object[]) => ({
    stream: true,
    model: 'mefali',
    messages: [system, ...messages],
    temperature: 0.8,
    stream_options: { include_usage: true },
  });

  it('chats and goes on, as the person who has signed in there', async () => {
    const first = said('Bonjour.');
    const before = await hers();
    expect(saidIn(await complete(headersOf(''), chatBody({ role: 'user', content: first })))).toBe(
      'Bonjour.',
    );
    const next = said('Un point.');
    const history = [
      { role: 'user', content: first },
      { role: 'assistant', content: 'Bonjour.' },
      { role: 'user', content: next },
    ];
    expect(saidIn(await complete(headersOf(''), chatBody(...history)))).toBe('Un point.');
    expect(await hers()).toEqual({ texts: [first, 'Bonjour.', next, 'Un point.'], count: before.count + 1 });
  });

  it.each(['title_generation', 'tags_generation', 'follow_up_generation', 'emoji_generation'])(
    'has %s done without a turn',
    async (task) => {
      const before = await hers();
      app.provider.play(() => [text('{"title": "Salut"}'), finish()]);
      const prompt =
        '### Task:\nGenerate a concise, 3-5 word title.\n<chat_history>\nUSER: Salut\n</chat_history>';
      const body = {
        model: 'mefali',
        messages: [{ role: 'user', content: prompt }],
        stream: false,
        ...(task === 'title_generation' && { max_completion_tokens: 1000 }),
      };
      const answer = JSON.parse(await complete(headersOf(task), body)) as JsonObject;
      app.provider.play(book.replyTo);
      expect(answer).toMatchObject({ choices: [{ message: { content: '{"title": "Salut"}' } }] });
      expect(await hers()).toEqual(before);
    },
  );

  it('lists the models when it connects', async () => {
    const answer = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(await answer.json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: 'mefali' })]),
    });
  });
});

describe('LibreChat', () => {
  const conversation = newId();
  const headers = {
    'user-agent': 'OpenAI/JS 5.12.2',
    'x-stainless-lang': 'js',
    'x-stainless-package-version': '5.12.2',
    'x-stainless-runtime': 'node',
    'x-stainless-retry-count': '0',
    'x-stainless-timeout': '600',
    'X-Palabre-Conversation': conversation,
    'X-Palabre-User': 'bea@example.org',
  };
  const body = (...messages: object[]) => ({
    model: 'mefali',
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    user: '66f1c0ffee',
    stream: true,
    stream_options: { include_usage: true },
    messages,
  });

  it('chats, goes on, and branches where a message was edited', async () => {
    const [first, next, instead] = [said('Bonjour.'), said('Oui.'), said('Non.')];
    const user = (words: string) => ({ role: 'user', content: words });
    const assistant = { role: 'assistant', content: [{ type: 'text', text: 'Bonjour.' }] };
    const before = await hers();
    expect(saidIn(await complete(headers, body(user(first))))).toBe('Bonjour.');
    expect(saidIn(await complete(headers, body(user(first), assistant, user(next))))).toBe('Oui.');
    expect(await hers()).toEqual({ texts: [first, 'Bonjour.', next, 'Oui.'], count: before.count + 1 });
    expect(saidIn(await complete(headers, body(user(first), assistant, user(instead))))).toBe('Non.');
    expect(await hers()).toEqual({ texts: [first, 'Bonjour.', instead, 'Non.'], count: before.count + 1 });
  });

  it('has a title made by the model for it', async () => {
    const before = await hers();
    app.provider.play(() => [text('Salut'), finish()]);
    const prompt =
      'Provide a concise, 5-word-or-less title for the conversation:\n\nUser: Salut\nAI: Bonjour.';
    const asked = { ...body({ role: 'user', content: prompt }), model: 'mefali:task', stream: false };
    const { stream_options: _, ...plain } = asked;
    const answer = JSON.parse(await complete(headers, plain)) as JsonObject;
    app.provider.play(book.replyTo);
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Salut' } }] });
    expect(await hers()).toEqual(before);
  });
});
