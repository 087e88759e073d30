import OpenAI from 'openai';
import { finish, hang, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { barrier, ScriptBook } from '../harness/script-book.js';
import { eventually } from '../harness/eventually.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

type Message = OpenAI.ChatCompletionMessageParam;

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;
let openai: OpenAI;
beforeAll(async () => {
  app = await shareApp(book.replyTo);
  client = await app.client();
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: client.token ?? '', maxRetries: 0 });
});
afterAll(() => app[Symbol.asyncDispose]());

const model = 'mefali';
function answered(...words: string[]) {
  return [...words.map(text), finish()];
}

function user(content: string): Message {
  return { role: 'user', content };
}

function assistant(content: string): Message {
  return { role: 'assistant', content };
}

async function say(messages: Message[], headers: Record<string, string> = {}): Promise<string> {
  const completion = await openai.chat.completions.create({ model, messages }, { headers });
  return completion.choices[0]?.message.content ?? '';
}

/** What the newest conversation shows. */
async function newest(): Promise<string[]> {
  const { conversations } = await client.get<{
    conversations: { edges: { node: { messages: { edges: { node: { text: string } }[] } } }[] };
  }>('{ conversations(first: 1) { edges { node { messages(first: 20) { edges { node { text } } } } } } }');
  return (conversations.edges[0]?.node.messages.edges ?? []).map(({ node }) => node.text);
}

async function count(): Promise<number> {
  const { conversations } = await client.get<{ conversations: { edges: object[] } }>(
    '{ conversations(first: 100) { edges { cursor } } }',
  );
  return conversations.edges.length;
}

describe('chat completions, from the SDK of OpenAI', () => {
  it('go on with the conversation whose history is sent, and branch where it was edited', async () => {
    const before = await count();
    const [one, two, other] = [
      book.add(answered('A1.')),
      book.add(answered('A2.')),
      book.add(answered('A3.')),
    ];
    const a1 = await say([{ role: 'system', content: 'Be brief.' }, user(one)]);
    const a2 = await say([user(one), assistant(a1), user(two)]);
    expect([a1, a2]).toEqual(['A1.', 'A2.']);
    expect(await newest()).toEqual([one, 'A1.', two, 'A2.']);
    expect(await say([user(one), assistant(a1), user(other)])).toBe('A3.');
    expect(await newest()).toEqual([one, 'A1.', other, 'A3.']);
    expect(await count()).toBe(before + 1);
    expect(JSON.stringify(app.provider.requests.at(-1))).not.toContain('A2.');
  });

  it('begin a conversation with a history that is not ours', async () => {
    const question = book.add(answered('Alice.'));
    await say([user('I am Alice.'), assistant('Hello!'), user(question)]);
    expect(await newest()).toEqual(['I am Alice.', 'Hello!', question, 'Alice.']);
    const again = book.add(answered('Still Alice.'));
    await say([user('I am Alice.'), assistant('Hello!'), user(question), assistant('Alice.'), user(again)]);
    expect(await newest()).toEqual(['I am Alice.', 'Hello!', question, 'Alice.', again, 'Still Alice.']);
  });

  it('go by what the client calls its chat', async () => {
    const headers = { 'X-Palabre-Conversation': crypto.randomUUID() };
    const [one, two, instead] = [
      book.add(answered('A.')),
      book.add(answered('B.')),
      book.add(answered('C.')),
    ];
    await say([user(one)], headers);
    // The client has changed what it was answered.
    await say([user(one), assistant('<b>A.</b>'), user(two)], headers);
    expect(await newest()).toEqual([one, 'A.', two, 'B.']);
    const before = await count();
    await say([user(instead)], headers);
    expect([await newest(), await count()]).toEqual([[instead, 'C.'], before]);
  });

  it('stream, with reasoning, and with usage in the last chunk', async () => {
    const question = book.add([text('Well '), toolCall('nowhere'), finish()], answered('It is ', '4.'));
    const stream = await openai.chat.completions.create({
      model,
      messages: [user(question)],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(said).toBe('Well \n\nIt is 4.');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10 } });
    // What was withdrawn stands in the history of the client.
    const next = book.add(answered('5.'));
    await say([user(question), assistant(said), user(next)]);
    expect(await newest()).toEqual([question, 'It is 4.', next, '5.']);
  });

  it('call functions of the client, and go on with what these gave', async () => {
    const question = book.add([toolCall('get_price', { item: 'tea' }), finish()], answered('It costs 3.'));
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: 'function', function: { name: 'get_price', parameters: { type: 'object' } } },
    ];
    const { choices } = await openai.chat.completions.create({ model, messages: [user(question)], tools });
    const [choice] = choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
    const [call] = choice?.message.tool_calls ?? [];
    expect(call).toMatchObject({
      type: 'function',
      function: { name: 'get_price', arguments: '{"item":"tea"}' },
    });
    const history = [
      user(question),
      { role: 'assistant' as const, tool_calls: choice?.message.tool_calls ?? [] },
      { role: 'tool' as const, tool_call_id: call?.id ?? '', content: '3' },
    ];
    expect(await say(history)).toBe('It costs 3.');
    const next = book.add(answered('Cheap.'));
    await say([...history, assistant('It costs 3.'), user(next)]);
    expect(await newest()).toEqual([question, 'It costs 3.', next, 'Cheap.']);
  });

  it('do what a client wants to know about a chat without a turn', async () => {
    const before = await count();
    app.provider.play(() => answered('A title'));
    const messages: Message[] = [{ role: 'system', content: 'Give a title.' }, user('Hello')];
    for (const [named, headers] of [
      ['mefali:task', {}],
      ['mefali', { 'X-Palabre-Task': 'title_generation' }],
    ] as const) {
      const task = await openai.chat.completions.create({ model: named, messages }, { headers });
      expect(task).toMatchObject({
        choices: [{ message: { content: 'A title' } }],
        usage: { total_tokens: 15 },
      });
    }
    expect(app.provider.requests.at(-1)).toMatchObject({ messages });
    app.provider.play(book.replyTo);
    expect(await count()).toBe(before);
  });

  it('end the turn with the connection where the client wants it', async () => {
    const held = barrier();
    const question = book.add([text('I'), held.step, hang()]);
    const left = new AbortController();
    const headers = { 'X-Palabre-On-Disconnect': 'cancel' };
    const body = { model, messages: [user(question)], stream: true as const };
    const stream = await openai.chat.completions.create(body, { headers, signal: left.signal });
    await held.reached;
    for await (const _chunk of stream) left.abort();
    const status = async (): Promise<string | undefined> => {
      const { turns } = await client.get<{ turns: { edges: { node: { status: string } }[] } }>(
        '{ turns(first: 1) { edges { node { status } } } }',
      );
      return turns.edges[0]?.node.status;
    };
    expect(await eventually(status, (one) => one === 'CANCELLED')).toBe('CANCELLED');
    held.open();
  });

  it('are refused in OpenAI’s words', async () => {
    const ask = (body: object): Promise<unknown> =>
      openai.chat.completions.create(body as OpenAI.ChatCompletionCreateParamsNonStreaming);
    const messages = [user('Hello')];
    await expect(ask({ model: 'nobody', messages })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    await expect(ask({ model, messages: [] })).rejects.toMatchObject({ status: 400, param: 'messages' });
    await expect(ask({ model, messages, n: 2 })).rejects.toMatchObject({ status: 400, param: 'n' });
    const reader = await client.get<{ createApiKey: { secret: string } }>(
      'mutation { createApiKey(input: { name: "reader", scopes: [READ] }) { secret } }',
    );
    const reading = new OpenAI({
      baseURL: `${app.url}/v1`,
      apiKey: reader.createApiKey.secret,
      maxRetries: 0,
    });
    await expect(reading.chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    const { data } = await reading.models.list();
    expect(data.map(({ id }) => id)).toContain(model);
    expect(await reading.models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
  });

  it('tell what the model thinks, of assistants that show it', async () => {
    await client.get('mutation { updateAssistant(key: "therese", input: { showsReasoning: true }) { id } }');
    const question = book.add([reasoning('I count.'), text('4.'), finish()]);
    const completion = await openai.chat.completions.create({ model: 'therese', messages: [user(question)] });
    expect(completion.choices[0]?.message).toMatchObject({ content: '4.', reasoning_content: 'I count.' });
  });
});
