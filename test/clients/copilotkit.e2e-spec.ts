import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HttpAgent, RunAgentParameters } from '@ag-ui/client';
import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { MortalServer } from '../harness/mortal-server.js';
import { barrier, newQuestion, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { installed } from './installed.js';

type Agent = HttpAgent;
type AgentClass = new (options: object) => Agent;

const { CopilotRuntime } = installed<{ CopilotRuntime: new (options: object) => object }>(
  'copilotkit',
  '@copilotkit/runtime/v2',
);
const { createCopilotNodeListener } = installed<{
  createCopilotNodeListener: (options: object) => RequestListener;
}>('copilotkit', '@copilotkit/runtime/v2/node');
const { ProxiedCopilotRuntimeAgent } = installed<{ ProxiedCopilotRuntimeAgent: AgentClass }>(
  'copilotkit',
  '@copilotkit/core',
);
/** The one that the runtime brings. */
const { HttpAgent: RuntimeAgent } = installed<{ HttpAgent: AgentClass }>('copilotkit', '@ag-ui/client');

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;

beforeAll(async () => {
  app = stack.use(await startApp(book.replyTo));
  ada = await app.client();
});
afterAll(() => stack.disposeAsync());

/** A page's agent, behind which CopilotKit's runtime asks Palabre. */
async function pageFor(client: { url: string; token: string | null }): Promise<Agent> {
  const mefali = new RuntimeAgent({
    url: `${client.url}/ag-ui/mefali`,
    headers: { authorization: `Bearer ${client.token}` },
  });
  const runtime = new CopilotRuntime({ agents: { mefali } });
  const server = createServer(createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const runtimeUrl = `http://127.0.0.1:${port}/api/copilotkit`;
  return new ProxiedCopilotRuntimeAgent({ runtimeUrl, agentId: 'mefali', threadId: newId() });
}

async function ask(agent: Agent, content: string, parameters?: RunAgentParameters): Promise<string[]> {
  const deltas: string[] = [];
  const heard = agent.subscribe({ onTextMessageContentEvent: ({ event }) => void deltas.push(event.delta) });
  agent.addMessage({ id: newId(), role: 'user', content });
  await agent.runAgent(parameters);
  heard.unsubscribe();
  return deltas;
}

async function newestStatus(): Promise<string | undefined> {
  const { turns } = await ada.get<{ turns: { edges: { node: { status: string } }[] } }>(
    '{ turns(first: 1) { edges { node { status } } } }',
  );
  return turns.edges[0]?.node.status;
}

describe('@copilotkit/runtime', () => {
  it('asks, streams, and asks again in the same conversation', async () => {
    const page = await pageFor(ada);
    const deltas = await ask(page, book.add([text('Bon'), text('jour.'), finish()]));
    expect(deltas.join('')).toBe('Bonjour.');
    await ask(page, book.add([text('Oui.'), finish()]));
    expect(page.messages.map(({ content }) => content).filter((_, index) => index % 2 === 1)).toEqual([
      'Bonjour.',
      'Oui.',
    ]);
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('Bonjour.');
  });

  it('answers what the turn waits for: a tool of the page', async () => {
    const page = await pageFor(ada);
    const question = book.add([toolCall('read_page', {}), finish()], [text('Une page.'), finish()]);
    const tools = [
      { name: 'read_page', description: 'Reads.', parameters: { type: 'object', properties: {} } },
    ];
    await ask(page, question, { tools });
    const call = page.messages
      .flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))
      .at(-1);
    expect(call?.function.name).toBe('read_page');
    page.addMessage({ id: newId(), role: 'tool', toolCallId: call!.id, content: 'Accueil' });
    await page.runAgent({ tools });
    expect(page.messages.at(-1)?.content).toBe('Une page.');
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('Accueil');
  });

  it('stops the turn where the page wants it', async () => {
    const page = await pageFor(ada);
    const held = barrier();
    const question = book.add([text('Il '), held.step, hang()]);
    const run = ask(page, question, { forwardedProps: { onDisconnect: 'cancel' } });
    await held.reached;
    page.abortRun();
    await run.catch(() => undefined);
    held.open();
    expect(await eventually(newestStatus, (status) => status === 'CANCELLED')).toBe('CANCELLED');
  });

  it('goes on in the thread after the server was killed', async () => {
    await using server = await MortalServer.start();
    const page = await pageFor(await server.client());
    const begun = Promise.withResolvers<void>();
    page.subscribe({ onTextMessageContentEvent: () => begun.resolve() });
    const lost = ask(page, newQuestion()).catch(() => undefined);
    await begun.promise;
    await server.kill();
    await lost;
    await server.startAgain();
    await ask(page, newQuestion());
    expect(page.messages.at(-1)?.content).toBe('Bonsoir.');
    const { conversations } = await (
      await server.client()
    ).get<{ conversations: { edges: object[] } }>('{ conversations(first: 5) { edges { cursor } } }');
    expect(conversations.edges).toHaveLength(1);
  });
});
