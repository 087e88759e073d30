import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { seenToEnd } from '../harness/laws.js';
import { readRequest, toolsOf } from '../harness/provider-request.js';
import { type BookReply, ScriptBook } from '../harness/script-book.js';
import { requestsFor } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const ASSISTANTS = ['mefali', 'therese', 'solven', 'bibliotheque', 'explorateur'];
const done: ProviderReply = [text('Tout va bien.'), finish()];

let app: TestApp;
let book: ScriptBook;
let client: TestClient;

async function start(env: Record<string, string> = {}): Promise<void> {
  book = new ScriptBook();
  app = await startApp(book.replyTo, env);
  client = await app.client();
}

function answerTokensOf(body: JsonObject): number {
  return Number(body['max_completion_tokens'] ?? body['max_tokens']);
}

/** Of prompt and answer, as it is counted here. */
function tokensOf(body: JsonObject): number {
  const { tokenizer } = app.server.resources;
  const { messages, tools } = readRequest(body);
  const words = messages.map((message) => tokenizer.count(JSON.stringify(message)));
  const rest = tokenizer.count(JSON.stringify(tools ?? [])) + answerTokensOf(body);
  return words.reduce((sum, count) => sum + count, rest);
}

async function ask(assistantKey: string, ...replies: readonly BookReply[]) {
  const question = book.add(...replies);
  const { turnId } = await client.ask(question, { assistantKey });
  await seenToEnd(client, turnId);
  return { turn: await turnOf(client, turnId), requests: requestsFor(app, question) };
}

const answered = expect.objectContaining({ status: 'COMPLETED', finishReason: 'ANSWERED' });

describe('a window of 4,096 tokens', () => {
  beforeAll(() => start({ LLM_CONTEXT_WINDOW: '4096' }));
  afterAll(() => app[Symbol.asyncDispose]());

  it.each(ASSISTANTS)('is enough for %s', async (assistant) => {
    const { turn, requests } = await ask(assistant, done);
    expect(turn).toEqual(answered);
    for (const request of requests) expect(tokensOf(request)).toBeLessThanOrEqual(4096);
    expect(answerTokensOf(requests[0] ?? {})).toBeGreaterThan(1000);
  });

  it('is enough to find a skill and to call it', async () => {
    const { turn, requests } = await ask(
      'mefali',
      [toolCall('search_skills', { query: 'profil entreprise' }), finish()],
      [toolCall('get_company_profile', {}), finish()],
      done,
    );
    expect(turn).toEqual(answered);
    expect(toolsOf(requests[1])).toContain('get_company_profile');
    for (const request of requests) expect(tokensOf(request)).toBeLessThanOrEqual(4096);
  });
});

describe('a window that is too small for any answer', () => {
  beforeAll(() => start({ LLM_CONTEXT_WINDOW: '1000' }));
  afterAll(() => app[Symbol.asyncDispose]());

  it('fails the turn, and says why', async () => {
    const { turn } = await ask('mefali', done);
    const message = expect.stringContaining('trop longue pour le modèle');
    expect(turn).toMatchObject({ status: 'FAILED', error: { code: 'CONTEXT_TOO_LARGE', message } });
  });
});

describe('a window that turns out to be smaller than was known', () => {
  beforeAll(() => start());
  afterAll(() => app[Symbol.asyncDispose]());

  /** Takes 5,000 tokens, and says so in `words`. */
  const within =
    (words: string, replies: ProviderReply): BookReply =>
    (body) =>
      tokensOf(body) > 5000 ? [status(400, { error: { message: words } })] : replies;

  // The others have nothing that could be left out of a first question.
  it.each(['mefali', 'therese'])('does not keep %s from answering', async (assistant) => {
    const tooLong = within('Please reduce the length of the messages.', done);
    const { turn, requests } = await ask(assistant, tooLong);
    expect(turn).toEqual(answered);
    expect(tokensOf(requests[0] ?? {})).toBeGreaterThan(5000);
  });

  it('fails the turn where nothing is short enough, and says why', async () => {
    const { turn, requests } = await ask('mefali', () => [
      status(400, { error: { message: 'context length' } }),
    ]);
    const message = expect.stringContaining('trop longue pour le modèle');
    expect(turn).toMatchObject({ status: 'FAILED', error: { code: 'CONTEXT_TOO_LARGE', message } });
    expect(requests.length).toBeGreaterThan(1);
  });

  it('is kept in mind as soon as the provider says how large it is', async () => {
    const tooLong = within("This model's maximum context length is 5000 tokens. You sent more.", done);
    const first = await ask('mefali', tooLong);
    expect(first.turn).toEqual(answered);
    expect(first.requests).toHaveLength(2);
    const second = await ask('therese', tooLong);
    expect(second.turn).toEqual(answered);
    expect(second.requests).toHaveLength(1);
  });
});
