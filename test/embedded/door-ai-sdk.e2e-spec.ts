import {
  AbstractChat,
  type ChatInit,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  readUIMessageStream,
  type UIMessage,
} from 'ai';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderStep, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { readRequest } from '../harness/provider-request.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const UPDATE = 'update_company_profile';
const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let admin: TestClient;
let member: TestClient;

beforeAll(async () => {
  const today = stack.use(await ServerOfToday.start());
  app = stack.use(await startApp(book.replyTo, { OUTBOUND_ALLOW: '127.0.0.1' }));
  admin = await app.client();
  const register = 'mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { id } }';
  await admin.get(register, { input: { key: 'today', url: today.url } });
  await admin.get('mutation { setSkillApproval(key: "today__deploy", required: false) { id } }');
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
  await admin.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
});
afterAll(() => stack.disposeAsync());

/** What useChat keeps, without React. */
class Memory implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined;
  constructor(public messages: UIMessage[]) {}
  pushMessage = (message: UIMessage): void => void this.messages.push(message);
  popMessage = (): void => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage): void => void (this.messages[index] = message);
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class Chat extends AbstractChat<UIMessage> {
  constructor({ messages = [], ...init }: ChatInit<UIMessage>) {
    super({ ...init, state: new Memory(messages) });
  }
}

function transportOf(client = member, body: object = {}): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport({
    api: `${app.url}/ai-sdk/mefali`,
    headers: { authorization: `Bearer ${client.token}` },
    body,
  });
}

function chatOf(init: Partial<ChatInit<UIMessage>> = {}): Chat {
  return new Chat({ id: newId(), transport: transportOf(), onError: (error) => errors.push(error), ...init });
}

const errors: Error[] = [];
beforeEach(() => void errors.splice(0));

function said(...words: string[]): ProviderStep[] {
  return [...words.map((word) => text(word)), finish()];
}

function textIn({ parts }: UIMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function texts(chat: Chat): string[] {
  return chat.messages.map(textIn);
}

function metadataOf(chat: Chat): JsonObject {
  return chat.messages.at(-1)!.metadata as JsonObject;
}

async function storedIn(chat: Chat): Promise<[string, number][]> {
  const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 50) { edges { node {
    text versions { id } } } } } }`;
  const { conversation } = await member.get<{
    conversation: { messages: { edges: { node: { text: string; versions: unknown[] } }[] } };
  }>(query, { id: metadataOf(chat).conversationId });
  return conversation.messages.edges.map(({ node }) => [node.text, node.versions.length]);
}

it('asks, and asks again in the same conversation', async () => {
  const chat = chatOf();
  const first = book.add(said('Bon', 'jour.'));
  await chat.sendMessage({ text: first });
  const second = book.add(said('Oui.'));
  await chat.sendMessage({ text: second });
  expect(errors).toEqual([]);
  expect(texts(chat)).toEqual([first, 'Bonjour.', second, 'Oui.']);
  expect(metadataOf(chat)).toMatchObject({
    status: 'COMPLETED',
    usage: { modelCalls: 1 },
    sequence: expect.any(Number),
    messageId: chat.messages.at(-1)!.id,
  });
  expect((await turnOf(member, String(metadataOf(chat).turnId))).status).toBe('COMPLETED');
  expect((await storedIn(chat)).map(([words]) => words)).toEqual(texts(chat));
});

it('regenerates an answer, and edits a question in a branch', async () => {
  const chat = chatOf();
  const first = book.add(said('Un.'));
  await chat.sendMessage({ text: first });
  await chat.regenerate();
  expect(await storedIn(chat)).toEqual([
    [first, 1],
    ['Un.', 2],
  ]);
  await chat.regenerate({ messageId: chat.messages.at(-1)!.id });
  expect((await storedIn(chat))[1]).toEqual(['Un.', 3]);
  const second = book.add(said('Deux.'));
  await chat.sendMessage({ text: second });
  const edited = book.add(said('Trois.'));
  await chat.sendMessage({ text: edited, messageId: chat.messages.at(-2)!.id });
  expect(await storedIn(chat)).toEqual([
    [first, 1],
    ['Un.', 3],
    [edited, 2],
    ['Trois.', 1],
  ]);
  const other = book.add(said('Quatre.'));
  await chat.sendMessage({ text: other, messageId: chat.messages[0]!.id });
  expect(await storedIn(chat)).toEqual([
    [other, 2],
    ['Quatre.', 1],
  ]);
  expect(errors).toEqual([]);
});

it('goes on where only the last message is sent', async () => {
  const id = newId();
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${app.url}/ai-sdk/mefali`,
    headers: { authorization: `Bearer ${member.token}` },
    prepareSendMessagesRequest: ({ messages, ...request }) => ({
      body: { id: request.id, message: messages.at(-1) },
    }),
  });
  const chat = chatOf({ id, transport });
  const questions = [book.add(said('Un.')), book.add(said('Deux.'))];
  for (const question of questions) await chat.sendMessage({ text: question });
  expect(errors).toEqual([]);
  expect((await storedIn(chat)).map(([words]) => words)).toEqual([
    questions[0],
    'Un.',
    questions[1],
    'Deux.',
  ]);
});

it('withdraws what was said before a skill call, and shows the call and its result', async () => {
  const chat = chatOf();
  const call = toolCall('recall', { query: 'rien' }, 'call_1');
  await chat.sendMessage({ text: book.add([text('Je regarde.'), call, finish()], said('Rien.')) });
  expect(errors).toEqual([]);
  const answer = chat.messages.at(-1)!;
  expect(textIn(answer)).toBe('Rien.');
  expect(answer.parts.filter(isToolUIPart)).toMatchObject([
    { type: 'dynamic-tool', toolName: 'recall', state: 'output-available', providerExecuted: true },
  ]);
});

it('has a tool of the client carried out, and goes on with its output', async () => {
  const called: string[] = [];
  const done = Promise.withResolvers<void>();
  const chat: Chat = chatOf({
    transport: transportOf(member, {
      tools: [
        { name: 'readPage', description: 'Reads the page.', inputSchema: { type: 'object', properties: {} } },
      ],
    }),
    onToolCall: ({ toolCall: { toolName, toolCallId, dynamic } }) => {
      if (dynamic) return;
      called.push(toolName);
      void chat.addToolOutput({ tool: toolName, toolCallId, output: { title: 'Accueil' } });
    },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onFinish: ({ message }) => {
      if (textIn(message) === 'Vu.') done.resolve();
    },
  });
  await chat.sendMessage({ text: book.add([toolCall('read_page', {}, 'call_p'), finish()], said('Vu.')) });
  await done.promise;
  expect(called).toEqual(['readPage']);
  expect(errors).toEqual([]);
  expect(chat.messages).toHaveLength(2);
  expect(JSON.stringify(readRequest(app.provider.requests.at(-1)).messages)).toContain('Accueil');
  expect(metadataOf(chat)).toMatchObject({ status: 'COMPLETED' });
});

it('answers the same again to an answer that is sent again, and names tools as the client did', async () => {
  const tools = [{ name: 'readPage', inputSchema: { type: 'object' } }];
  const question = book.add([toolCall('read_page', {}, 'call_p'), finish()], said('Vu.'));
  const chat = chatOf({ transport: transportOf(member, { tools }) });
  await chat.sendMessage({ text: question });
  const resumed = await fetch(`${app.url}/ai-sdk/mefali/${chat.id}/stream`, {
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(await resumed.text()).toContain('"toolName":"readPage"');
  const [asked, answer] = chat.messages;
  const parts = answer!.parts.map((part) =>
    isToolUIPart(part) ? { ...part, state: 'output-available', output: 'Accueil' } : part,
  );
  const again = () =>
    fetch(`${app.url}/ai-sdk/mefali`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
      body: JSON.stringify({ id: chat.id, messages: [asked, { ...answer, parts }], tools }),
    });
  const first = await again();
  const told = await first.text();
  expect([first.status, told]).toEqual([200, expect.stringContaining('Vu.')]);
  const framesIn = (stream: string) =>
    stream
      .split('\n\n')
      .map((frame) => frame.split('\ndata: '))
      .map(([id, data = 'null']) => [id, JSON.parse(data)] as const);
  expect(framesIn(await (await again()).text())).toEqual(framesIn(told));
});

it.each([true, false])('is asked for approval, which is given: %s', async (approved) => {
  const done = Promise.withResolvers<void>();
  const chat = chatOf({
    transport: transportOf(admin),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish: ({ message }) => {
      if (textIn(message) === 'Bien.') done.resolve();
    },
  });
  const call = toolCall(UPDATE, { sector: 'Solaire' }, 'call_a');
  await chat.sendMessage({ text: book.add([call, finish()], said('Bien.')) });
  const part = chat.messages.at(-1)!.parts.find(isToolUIPart);
  expect(part).toMatchObject({ state: 'approval-requested', toolName: UPDATE, input: { sector: 'Solaire' } });
  await chat.addToolApprovalResponse({ id: part!.approval!.id, approved });
  await done.promise;
  expect(errors).toEqual([]);
  const after = chat.messages.at(-1)!.parts.find(isToolUIPart);
  expect(after).toMatchObject({ state: approved ? 'output-available' : 'output-denied' });
});

it.each<[string, ProviderStep, string, JsonObject, string]>([
  ['the model', toolCall('ask_user', { prompt: 'Où ?' }, 'call_q'), 'ask_user', { answer: 'Thiès' }, 'Thiès'],
  [
    'an MCP server',
    toolCall('today__deploy', { service: 'web' }, 'call_m'),
    'mcp_input',
    { region: 'west' },
    'west',
  ],
])('is asked by %s, and answers as with the output of a call', async (_, call, tool, output, told) => {
  const done = Promise.withResolvers<void>();
  const chat = chatOf({
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onFinish: ({ message }) => {
      if (textIn(message) === 'Merci.') done.resolve();
    },
  });
  await chat.sendMessage({ text: book.add([call, finish()], said('Merci.')) });
  const part = chat.messages.at(-1)!.parts.find(({ type }) => type === `tool-${tool}`);
  expect(part).toMatchObject({ state: 'input-available', input: { responseSchema: { type: 'object' } } });
  await chat.addToolOutput({ tool, toolCallId: (part as { toolCallId: string }).toolCallId, output });
  await done.promise;
  expect(errors).toEqual([]);
  expect(JSON.stringify(readRequest(app.provider.requests.at(-1)).messages)).toContain(told);
});

it('resumes what is under way from its beginning, and nothing where there is nothing', async () => {
  const waits = barrier();
  const chat = chatOf();
  expect(await transportOf().reconnectToStream({ chatId: chat.id })).toBeNull();
  const question = book.add([text('Un'), waits.step, text(' mot.'), finish()]);
  const asked = chat.sendMessage({ text: question });
  await waits.reached;
  const elsewhere = await app.client({ company: await app.company() });
  expect(await transportOf(elsewhere).reconnectToStream({ chatId: chat.id })).toBeNull();
  const stream = await transportOf().reconnectToStream({ chatId: chat.id });
  waits.open();
  let resumed: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: stream! })) resumed = message;
  await asked;
  expect(resumed).toMatchObject({ id: chat.messages.at(-1)!.id, metadata: { status: 'COMPLETED' } });
  expect(textIn(resumed!)).toBe('Un mot.');
  expect(await transportOf().reconnectToStream({ chatId: chat.id })).toBeNull();
});

it('goes on when its client leaves, and is stopped by its address', async () => {
  const waits = barrier();
  const chat = chatOf();
  const question = book.add([text('Long'), waits.step]);
  const asked = chat.sendMessage({ text: question });
  await waits.reached;
  await eventually(
    async () => chat.messages.length,
    (length) => length === 2,
  );
  const { turnId } = metadataOf(chat);
  await chat.stop();
  await asked;
  expect((await turnOf(member, String(turnId))).status).toBe('RUNNING');
  const stop = (client: TestClient) =>
    fetch(`${app.url}/ai-sdk/mefali/${chat.id}/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
    });
  expect((await stop(admin)).status).toBe(404);
  expect(await (await stop(member)).json()).toEqual({ turnId, status: 'CANCELLED' });
  expect((await stop(member)).status).toBe(404);
  waits.open();
});

it('is told of a failure', async () => {
  const chat = chatOf();
  await chat.sendMessage({ text: book.add([status(400, 'No.')]) });
  expect(chat.status).toBe('error');
  expect(errors).toHaveLength(1);
});

it.each<[string, JsonObject, number, string]>([
  ['no message', { messages: [] }, 400, 'BAD_USER_INPUT'],
  ['an unknown trigger', { trigger: 'explode' }, 400, 'BAD_USER_INPUT'],
  [
    'an answer that nobody waits for',
    { messages: [{ id: 'a', role: 'assistant', parts: [] }] },
    400,
    'BAD_USER_INPUT',
  ],
  [
    'a file to be fetched',
    {
      messages: [
        {
          id: 'u',
          role: 'user',
          parts: [{ type: 'file', mediaType: 'image/png', url: 'http://169.254.169.254/' }],
        },
      ],
    },
    400,
    'BAD_USER_INPUT',
  ],
])('refuses %s', async (_, change, expected, code) => {
  const body = {
    id: newId(),
    messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    ...change,
  };
  const response = await fetch(`${app.url}/ai-sdk/mefali`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
    body: JSON.stringify(body),
  });
  expect([response.status, ((await response.json()) as JsonObject).code]).toEqual([expected, code]);
});

it('is used by a key with the scope for it', async () => {
  const create = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';
  const { createApiKey } = await admin.get<{ createApiKey: { secret: string } }>(create, {
    input: { name: 'k', scopes: ['READ'] },
  });
  const reader = app.clientWith(createApiKey.secret);
  expect(await transportOf(reader).reconnectToStream({ chatId: newId() })).toBeNull();
  const chat = chatOf({ transport: transportOf(reader) });
  await chat.sendMessage({ text: 'Hi' });
  expect(errors).toMatchObject([{ statusCode: 403, message: expect.stringContaining('FORBIDDEN') }]);
});
