import { HttpAgent, type Message, type RunAgentParameters } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { HttpAgent as HttpAgent0 } from 'ag-ui-client-0';
import { EventSchemas as EventSchemas0 } from 'ag-ui-core-0';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { type AgUiEvent, conversationIn, messagesOf, postAgUi } from '../harness/ag-ui.js';
import { eventually } from '../harness/eventually.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { readRequest, toolsOf } from '../harness/provider-request.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

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

/** A stock client of either version, with all events that it got. */
function agentOf(Agent: typeof HttpAgent, client = member, path = 'mefali', threadId = newId()) {
  const events: AgUiEvent[] = [];
  const agent = new Agent({
    url: `${app.url}/ag-ui/${path}`,
    headers: { authorization: `Bearer ${client.token}` },
    threadId,
  });
  agent.subscribe({ onEvent: ({ event }) => void events.push(event as unknown as AgUiEvent) });
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

function types(events: readonly AgUiEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

function said(...words: string[]): ProviderStep[] {
  return [...words.map((word) => text(word)), finish()];
}

describe.each(versions)('@ag-ui/client %s', (_, Agent, schema) => {
  async function run(one: ReturnType<typeof agentOf>, parameters?: RunAgentParameters): Promise<AgUiEvent[]> {
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

  it('gives at once what is to be allowed and what it carries out itself', async () => {
    const one = agentOf(Agent, admin);
    const tools = [{ name: 'read_page', description: 'x', parameters: { type: 'object', properties: {} } }];
    const both = [toolCall(UPDATE, { sector: 'Solaire' }, 'call_a'), toolCall('read_page', {}, 'call_b')];
    const events = await ask(one, book.add([...both, finish()], said('Tout.')), { tools });
    const { interrupts } = events.at(-1)!.outcome as unknown as { interrupts: { id: string }[] };
    const page = events.find(({ toolCallName }) => toolCallName === 'read_page')!;
    one.agent.addMessage({ id: 'r', role: 'tool', toolCallId: String(page.toolCallId), content: 'Accueil' });
    await run(one, {
      tools,
      resume: interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: true })),
    });
    expect(one.agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Tout.' });
    expect(one.agent.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  it('connects to what was called and what waits, as its runs have told it', async () => {
    const one = agentOf(Agent);
    const calls = toolCall('recall', { query: 'rien' }, 'call_1');
    await ask(one, book.add([calls, finish()], said('Rien.')));
    const other = agentOf(Agent, member, 'mefali/connect', one.agent.threadId);
    await run(other);
    // Of the question, the client has chosen the id.
    expect(one.agent.messages.slice(1)).toMatchObject(other.agent.messages.slice(1));
    expect(other.agent.messages).toHaveLength(4);
    const call = toolCall('ask_user', { prompt: 'Où ?' }, 'call_q');
    await ask(one, book.add([call, finish()], said('Jamais.')));
    const waiting = agentOf(Agent, member, 'mefali/connect', one.agent.threadId);
    await run(waiting);
    expect(waiting.events.at(-1)?.outcome).toEqual(one.events.at(-1)?.outcome);
  });

  it('is told that a turn goes on in the background, and connects to its end', async () => {
    const waits = barrier();
    const one = agentOf(Agent, member, 'explorateur');
    const moves = (body: JsonObject): ProviderStep[] => {
      const offered = toolsOf(body);
      if (offered.includes('continue_in_background'))
        return [toolCall('continue_in_background', { reason: 'C’est long.' }), finish()];
      if (offered.length > 0) return [toolCall('synthesize_answer', { reason: 'Je sais.' }), finish()];
      return [waits.step, text('Enfin.'), finish()];
    };
    const events = await ask(one, book.add(moves));
    expect(types(events)).toContain('ACTIVITY_SNAPSHOT');
    expect(events.find(({ name }) => name === 'palabre.background')).toMatchObject({
      value: { turnId: expect.any(String) },
    });
    expect(events.at(-1)!.type).toBe('RUN_FINISHED');
    const spoken = one.agent.messages.filter(({ role }) => role === 'assistant');
    expect(spoken).toHaveLength(1);
    const other = agentOf(Agent, member, 'explorateur/connect', one.agent.threadId);
    const connected = run(other);
    await waits.reached;
    waits.open();
    await connected;
    expect(other.agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Enfin.' });
  });

  it('is told of a cancelled turn in its version’s words', async () => {
    const waits = barrier();
    const one = agentOf(Agent);
    const question = book.add([text('Long'), waits.step]);
    const asked = ask(one, question).catch((error: unknown) => error);
    await waits.reached;
    const cancelled = await postAgUi(member, 'mefali/cancel', { threadId: one.agent.threadId });
    expect(await cancelled.json()).toMatchObject({ status: 'CANCELLED' });
    await asked;
    expect(one.events.at(-1)).toMatchObject(
      Agent === HttpAgent
        ? { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }
        : { type: 'RUN_ERROR', code: 'CANCELLED', message: 'La demande a été annulée.' },
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
