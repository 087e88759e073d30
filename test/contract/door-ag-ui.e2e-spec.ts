import { HttpAgent, type Message, type RunAgentParameters } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { HttpAgent as HttpAgent0 } from 'ag-ui-client-0';
import { EventSchemas as EventSchemas0 } from 'ag-ui-core-0';

import { newId } from '../../src/common/ids.js';
import type { JsonObject } from '../../src/common/json.js';
import { finish, text, toolCall } from '../../src/llm/scripted-chat-model.double.js';
import type { ProviderStep } from '../../src/llm/scripted-provider.double.js';
import { eventually } from '../harness/eventually.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { readRequest } from '../harness/provider-request.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
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
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
  const register = 'mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { id } }';
  await admin.get(register, { input: { key: 'today', url: today.url } });
  await admin.get('mutation { setSkillApproval(key: "today__deploy", required: false) { id } }');
  await admin.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
});
afterAll(() => stack.disposeAsync());

type Event = { type: string; metadata?: { sequence?: number } } & JsonObject;

/** A stock client of either version, with all events that it got. */
function agentOf(Agent: typeof HttpAgent, client = member, path = 'mefali', threadId = newId()) {
  const events: Event[] = [];
  const agent = new Agent({
    url: `${app.url}/ag-ui/${path}`,
    headers: { authorization: `Bearer ${client.token}` },
    threadId,
  });
  agent.subscribe({ onEvent: ({ event }) => void events.push(event as unknown as Event) });
  return { agent, events };
}

const versions: [string, typeof HttpAgent, { parse: (event: unknown) => unknown }][] = [
  ['1.0.0', HttpAgent, EventSchema],
  ['0.0.59', HttpAgent0 as unknown as typeof HttpAgent, EventSchemas0],
];

function user(content: string): Message {
  return { id: `client-${newId()}`, role: 'user', content };
}

function contents(messages: readonly Message[]): unknown[] {
  return messages.map(({ role, content }) => [role, content]);
}

function types(events: readonly Event[]): string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

function said(...words: string[]): ProviderStep[] {
  return [...words.map((word) => text(word)), finish()];
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}, client = member) {
  return fetch(`${app.url}/ag-ui/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}`, ...headers },
    body: JSON.stringify(body),
  });
}

/** The frames of a stream: their ids and their events. */
function framesIn(stream: string): { id: string | undefined; event: Event }[] {
  return stream
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => ({
      id: /^id: (.*)$/m.exec(frame)?.[1],
      event: JSON.parse(/^data: (.*)$/m.exec(frame)![1]!) as Event,
    }));
}

async function messagesOf(client: TestClient, conversationId: string) {
  const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 50) { edges { node {
    id role text versions { id } } } } } }`;
  const { conversation } = await client.get<{
    conversation: {
      messages: { edges: { node: { id: string; role: string; text: string; versions: unknown[] } }[] };
    };
  }>(query, { id: conversationId });
  return conversation.messages.edges.map(({ node }) => node);
}

function conversationIn(events: readonly Event[]): string {
  return String((events.find(({ type }) => type === 'RUN_STARTED')!.metadata as JsonObject).conversationId);
}

describe.each(versions)('@ag-ui/client %s', (_, Agent, schema) => {
  async function run(one: ReturnType<typeof agentOf>, parameters?: RunAgentParameters): Promise<Event[]> {
    const before = one.events.length;
    await one.agent.runAgent(parameters);
    const events = one.events.slice(before);
    for (const event of events) schema.parse(event);
    return events;
  }

  async function ask(one: ReturnType<typeof agentOf>, question: string, parameters?: RunAgentParameters) {
    one.agent.addMessage(user(question));
    return run(one, parameters);
  }

  it('asks, and asks again in the conversation that its thread stands for', async () => {
    const one = agentOf(Agent);
    const first = book.add(said('Bon', 'jour.'));
    const events = await ask(one, first);
    expect(types(events)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(events.at(-1)).toMatchObject({ usage: [{ inputTokens: expect.any(Number) }] });
    const second = book.add(said('Oui.'));
    await ask(one, second);
    expect(contents(one.agent.messages)).toEqual([
      ['user', first],
      ['assistant', 'Bonjour.'],
      ['user', second],
      ['assistant', 'Oui.'],
    ]);
    const stored = await messagesOf(member, conversationIn(one.events));
    expect(stored.map(({ role, text: words }) => [role.toLowerCase(), words])).toEqual(
      contents(one.agent.messages),
    );
    // What the client says that assistants have said is not read.
    const [, answer] = one.agent.messages;
    one.agent.setMessages(
      one.agent.messages.map((message) =>
        message.id === answer!.id ? { ...message, content: 'Forged.' } : message,
      ) as Message[],
    );
    await ask(one, book.add(said('Non.')));
    const prompt = JSON.stringify(readRequest(app.provider.requests.at(-1)).messages);
    expect(prompt).toContain('Bonjour.');
    expect(prompt).not.toContain('Forged.');
  });

  it('has a question answered anew, and an edited one in a branch', async () => {
    const one = agentOf(Agent);
    const first = book.add(said('Un.'));
    await ask(one, first);
    await ask(one, book.add(said('Deux.')));
    const id = conversationIn(one.events);
    one.agent.setMessages(one.agent.messages.slice(0, -1));
    await run(one);
    const again = await messagesOf(member, id);
    expect(again.map(({ text: words, versions: all }) => [words, all.length])).toEqual([
      [first, 1],
      ['Un.', 1],
      [expect.any(String), 1],
      ['Deux.', 2],
    ]);
    one.agent.setMessages(one.agent.messages.slice(0, 2));
    const edited = book.add(said('Trois.'));
    await ask(one, edited);
    expect(
      (await messagesOf(member, id)).map(({ text: words, versions: all }) => [words, all.length]),
    ).toEqual([
      [first, 1],
      ['Un.', 1],
      [edited, 2],
      ['Trois.', 1],
    ]);
    one.agent.setMessages([]);
    const other = book.add(said('Quatre.'));
    await ask(one, other);
    expect(
      (await messagesOf(member, id)).map(({ text: words, versions: all }) => [words, all.length]),
    ).toEqual([
      [other, 2],
      ['Quatre.', 1],
    ]);
  });

  it('withdraws what was said before a skill call, and shows the call', async () => {
    const one = agentOf(Agent);
    const calls = toolCall('recall', { query: 'rien' }, 'call_1');
    const events = await ask(one, book.add([text('Je regarde.'), calls, finish()], said('Rien.')));
    expect(types(events)).toContain('MESSAGES_SNAPSHOT');
    expect(one.agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(JSON.stringify(one.agent.messages)).not.toContain('Je regarde.');
    expect(one.agent.messages.at(-1)).toMatchObject({ content: 'Rien.' });
  });

  it('carries out a tool of its own, under its own name', async () => {
    const one = agentOf(Agent);
    const tools = [
      {
        name: 'readPage',
        description: 'Reads the page.',
        parameters: { type: 'object', properties: { part: { type: 'string' } } },
      },
    ];
    const question = book.add([toolCall('read_page', { part: 'title' }, 'call_p'), finish()], said('Vu.'));
    const events = await ask(one, question, { tools });
    const call = events.find(({ type }) => type === 'TOOL_CALL_START')!;
    expect(call).toMatchObject({ toolCallName: 'readPage' });
    expect(types(events)).not.toContain('TOOL_CALL_RESULT');
    expect(events.at(-1)!.outcome).toEqual(
      Agent === HttpAgent ? { type: 'success', pendingToolCallIds: [call.toolCallId] } : undefined,
    );
    one.agent.addMessage({
      id: 'result',
      role: 'tool',
      toolCallId: String(call.toolCallId),
      content: '{"title":"Accueil"}',
    });
    const rest = await run(one, { tools });
    expect(types(rest)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(JSON.stringify(readRequest(app.provider.requests.at(-1)).messages)).toContain('Accueil');
    expect(
      new Set(one.events.map(({ metadata }) => (metadata as JsonObject).turnId).filter(Boolean)).size,
    ).toBe(1);
  });

  it.each<[string, () => ProviderStep, RunAgentParameters['resume'], string]>([
    [
      'a question',
      () => toolCall('ask_user', { prompt: 'Où ?' }, 'call_q'),
      [{ interruptId: '', status: 'resolved', payload: { answer: 'À Thiès' } }],
      'Thiès',
    ],
    [
      'a question that is declined',
      () => toolCall('ask_user', { prompt: 'Où ?' }, 'call_q'),
      [{ interruptId: '', status: 'cancelled' }],
      "n'a pas voulu",
    ],
    [
      'what an MCP server asks',
      () => toolCall('today__deploy', { service: 'web' }, 'call_m'),
      [{ interruptId: '', status: 'resolved', payload: { region: 'west' } }],
      'west',
    ],
  ])('is interrupted by %s, and resumes', async (_name, call, resume, told) => {
    const one = agentOf(Agent);
    const events = await ask(one, book.add([call(), finish()], said('Merci.')));
    const { interrupts } = events.at(-1)!.outcome as unknown as { interrupts: { id: string }[] };
    expect(interrupts).toMatchObject([{ reason: 'input_required', expiresAt: expect.any(String) }]);
    await run(one, { resume: resume!.map((entry) => ({ ...entry, interruptId: interrupts[0]!.id })) });
    expect(one.agent.messages.at(-1)).toMatchObject({ content: 'Merci.' });
    expect(JSON.stringify(readRequest(app.provider.requests.at(-1)).messages)).toContain(told);
    expect(one.agent.pendingInterrupts).toEqual([]);
  });

  it('is interrupted by an approval, and a denial is a denial', async () => {
    for (const approved of [true, false]) {
      const one = agentOf(Agent, admin);
      const call = toolCall(UPDATE, { sector: 'Solaire' }, 'call_a');
      const events = await ask(one, book.add([call, finish()], said('Fait.')));
      const { interrupts } = events.at(-1)!.outcome as unknown as { interrupts: JsonObject[] };
      expect(interrupts).toMatchObject([{ reason: 'tool_call', metadata: { skill: UPDATE } }]);
      const start = events.find(({ type }) => type === 'TOOL_CALL_START')!;
      expect(interrupts[0]!.toolCallId).toBe(start.toolCallId);
      const resume = [
        { interruptId: String(interrupts[0]!.id), status: 'resolved' as const, payload: { approved } },
      ];
      const rest = await run(one, { resume });
      expect(rest.filter(({ type }) => type === 'TOOL_CALL_START')).toEqual([]);
      const result = rest.find(({ type }) => type === 'TOOL_CALL_RESULT')!;
      expect(result.toolCallId).toBe(start.toolCallId);
      if (!approved) expect(result.metadata).toMatchObject({ status: 'DENIED' });
    }
  });

  it('is told of a cancelled turn in its version’s words', async () => {
    const waits = barrier();
    const one = agentOf(Agent);
    const question = book.add([text('Long'), waits.step]);
    const asked = ask(one, question).catch((error: unknown) => error);
    await waits.reached;
    const cancelled = await post('mefali/cancel', { threadId: one.agent.threadId });
    expect(await cancelled.json()).toMatchObject({ status: 'CANCELLED' });
    await asked;
    expect(one.events.at(-1)).toMatchObject(
      Agent === HttpAgent
        ? { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }
        : { type: 'RUN_ERROR', code: 'CANCELLED' },
    );
    waits.open();
  });

  it('connects to a run under way, with what was said before', async () => {
    const waits = barrier();
    const one = agentOf(Agent);
    const first = book.add(said('Un.'));
    await ask(one, first);
    const second = book.add([text('De'), waits.step, text('ux.'), finish()]);
    one.agent.addMessage(user(second));
    const asked = one.agent.runAgent();
    await waits.reached;
    const other = agentOf(Agent, member, 'mefali/connect', one.agent.threadId);
    const connected = run(other);
    await eventually(async () => other.events.some(({ type }) => type === 'TEXT_MESSAGE_CONTENT'), Boolean);
    waits.open();
    await Promise.all([asked, connected]);
    const expected = [
      ['user', first],
      ['assistant', 'Un.'],
      ['user', second],
      ['assistant', 'Deux.'],
    ];
    expect(contents(other.agent.messages)).toEqual(expected);
    const later = agentOf(Agent, member, 'mefali/connect', one.agent.threadId);
    await run(later);
    expect(contents(later.agent.messages)).toEqual(expected);
  });
});

describe('the stream', () => {
  it('is the same again for the same run, and resumes exactly after any of its frames', async () => {
    const calls = toolCall('recall', { query: 'rien' }, 'call_1');
    const question = book.add([text('Je'), calls, finish()], said('Voi', 'là.'));
    const input = {
      threadId: newId(),
      runId: newId(),
      protocolVersion: '1.0',
      messages: [{ id: 'u1', role: 'user', content: question }],
    };
    const before = app.provider.requests.length;
    const whole = framesIn(await (await post('mefali', input)).text());
    expect(whole.at(-1)?.event.type).toBe('RUN_FINISHED');
    for (const [index, { id }] of whole.entries()) {
      const rest = framesIn(await (await post('mefali', input, { 'last-event-id': id! })).text());
      expect(rest).toEqual(whole.slice(index + 1));
    }
    expect(framesIn(await (await post('mefali', input)).text())).toEqual(whole);
    expect(app.provider.requests.length - before).toBe(2);
    const other = { ...input, messages: [{ id: 'u1', role: 'user', content: 'Other.' }] };
    const refused = await post('mefali', other);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'CONFLICT' }),
    ]);
  });

  it.each(['continue', 'cancel'])('whose client leaves, with the policy %s', async (onDisconnect) => {
    const waits = barrier();
    const threadId = newId();
    const input = {
      threadId,
      runId: newId(),
      messages: [
        { id: 'u', role: 'user', content: book.add([text('Un'), waits.step, text(' mot.'), finish()]) },
      ],
      forwardedProps: { onDisconnect },
    };
    const abort = new AbortController();
    const response = await fetch(`${app.url}/ag-ui/mefali`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
      body: JSON.stringify(input),
      signal: abort.signal,
    });
    await waits.reached;
    const chunk = await response.body!.getReader().read();
    const [{ event }] = framesIn(new TextDecoder().decode(chunk.value)) as unknown as [{ event: Event }];
    const { turnId } = event.metadata as { turnId: string };
    abort.abort();
    if (onDisconnect === 'continue') waits.open();
    const status = onDisconnect === 'continue' ? 'COMPLETED' : 'CANCELLED';
    await eventually(
      () => turnOf(member, turnId),
      (turn) => turn.status === status,
    );
    waits.open();
  });

  it('is that of a thread of its member alone', async () => {
    const input = (threadId: string) => ({
      threadId,
      runId: newId(),
      messages: [{ id: 'u', role: 'user', content: book.add(said('À moi.')) }],
    });
    const threadId = newId();
    const mine = framesIn(await (await post('mefali', input(threadId))).text()).map(({ event }) => event);
    const conversationId = conversationIn(mine);
    const elsewhere = await app.client({ company: await app.company() });
    const colleague = await app.client({ sub: 'cleo', role: 'MEMBER' });
    for (const stranger of [elsewhere, colleague]) {
      for (const id of [threadId, conversationId]) {
        for (const path of ['mefali/connect', 'mefali/cancel']) {
          const response = await post(path, { threadId: id, runId: newId() }, {}, stranger);
          expect([path, response.status]).toEqual([path, 404]);
        }
        const theirs = framesIn(await (await post('mefali', input(id), {}, stranger)).text());
        expect(conversationIn(theirs.map(({ event }) => event))).not.toBe(conversationId);
      }
    }
    expect(await messagesOf(member, conversationId)).toHaveLength(2);
    // Its own conversation may be named as well.
    const named = { ...input(conversationId), forwardedProps: { follows: true } };
    const more = framesIn(await (await post('mefali', named)).text()).map(({ event }) => event);
    expect(conversationIn(more)).toBe(conversationId);
    expect(await messagesOf(member, conversationId)).toHaveLength(4);
  });
});

describe('what is asked with', () => {
  it('are files, which become attachments', async () => {
    const content = [
      { type: 'text', text: book.add(said('Un plan.')) },
      { type: 'document', source: { type: 'data', value: btoa('# Plan'), mimeType: 'text/markdown' } },
      { type: 'image', source: { type: 'url', value: `data:image/png;base64,${PNG}` } },
    ];
    const input = { threadId: newId(), runId: newId(), messages: [{ id: 'u', role: 'user', content }] };
    const frames = framesIn(await (await post('mefali', input)).text()).map(({ event }) => event);
    const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 1) { edges { node { parts {
      ... on ImagePart { attachment { kind } } ... on FilePart { attachment { kind name } } } } } } } }`;
    const { conversation } = await member.get<{ conversation: { messages: { edges: JsonObject[] } } }>(
      query,
      {
        id: conversationIn(frames),
      },
    );
    expect(JSON.stringify(conversation.messages.edges)).toContain('"kind":"IMAGE"');
    expect(JSON.stringify(conversation.messages.edges)).toContain('file.markdown');
    // Sent once more, they are not taken in once more.
    const again = framesIn(await (await post('mefali', input)).text()).map(({ event }) => event);
    expect(again).toEqual(frames);
  });

  it.each<[string, JsonObject, number, string]>([
    ['no thread', { threadId: '' }, 400, 'BAD_USER_INPUT'],
    ['no message', { messages: [] }, 400, 'BAD_USER_INPUT'],
    ['an empty message', { messages: [{ id: 'u', role: 'user', content: ' ' }] }, 400, 'BAD_USER_INPUT'],
    [
      'a file to be fetched',
      {
        messages: [
          {
            id: 'u',
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image', source: { type: 'url', value: 'http://169.254.169.254/' } },
            ],
          },
        ],
      },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a tool with the name of a skill',
      { tools: [{ name: 'remember', description: 'x', parameters: { type: 'object' } }] },
      400,
      'BAD_USER_INPUT',
    ],
    ['an unknown policy', { forwardedProps: { onDisconnect: 'explode' } }, 400, 'BAD_USER_INPUT'],
    ['an unknown interrupt', { resume: [{ interruptId: newId(), status: 'cancelled' }] }, 404, 'NOT_FOUND'],
  ])('is refused where it is %s', async (_, change, status, code) => {
    const input = {
      threadId: newId(),
      runId: newId(),
      messages: [{ id: 'u', role: 'user', content: 'Hi' }],
      ...change,
    };
    const response = await post('mefali', input);
    expect([response.status, ((await response.json()) as JsonObject).code]).toEqual([status, code]);
  });

  it('is refused of an unknown assistant, a stranger, a bad id of an event, and a key without the scope', async () => {
    const input = { threadId: newId(), runId: newId(), messages: [{ id: 'u', role: 'user', content: 'Hi' }] };
    expect((await post('nobody', input)).status).toBe(404);
    expect((await post('mefali', input, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await post('mefali', input, { 'last-event-id': 'x' })).status).toBe(400);
    const create = `mutation ($scopes: [ApiKeyScope!]!) { createApiKey(input: { name: "k", scopes: $scopes }) { secret } }`;
    const { createApiKey } = await admin.get<{ createApiKey: { secret: string } }>(create, {
      scopes: ['READ'],
    });
    const headers = { authorization: `Bearer ${createApiKey.secret}` };
    const refused = await post('mefali', input, headers);
    expect([refused.status, ((await refused.json()) as JsonObject).code]).toEqual([403, 'FORBIDDEN']);
    expect((await post('mefali/cancel', input, headers)).status).toBe(403);
    expect((await post('mefali/connect', input, headers)).status).toBe(404);
  });
});

it('puts a new question before what waits, and refuses a bad answer', async () => {
  const threadId = newId();
  const question = book.add([toolCall('ask_user', { prompt: 'Où ?' }, 'call_q'), finish()], said('Jamais.'));
  const messages = [{ id: 'u', role: 'user', content: question }];
  const frames = framesIn(await (await post('mefali', { threadId, runId: newId(), messages })).text());
  const { interrupts } = frames.at(-1)!.event.outcome as unknown as { interrupts: { id: string }[] };
  const resume = [{ interruptId: interrupts[0]!.id, status: 'resolved', payload: { answer: 7 } }];
  const refused = await post('mefali', { threadId, runId: newId(), messages, resume });
  expect([refused.status, ((await refused.json()) as JsonObject).code]).toEqual([400, 'BAD_USER_INPUT']);
  const next = { id: 'u2', role: 'user', content: book.add(said('Bien.')) };
  const input = { threadId, runId: newId(), messages: [...messages, next] };
  const answered = framesIn(await (await post('mefali', input)).text()).map(({ event }) => event);
  expect(answered.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toMatchObject([{ delta: 'Bien.' }]);
});
