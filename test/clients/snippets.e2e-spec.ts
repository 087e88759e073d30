import { finish, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { MortalServer } from '../harness/mortal-server.js';
import { newQuestion } from '../harness/script-book.js';
import { runSnippet, type Snippet, snippetWith, startSnippet } from '../harness/snippets.js';
import { startApp } from '../harness/start-app.js';
import { folderOf } from './installed.js';

/** Prints what `said` gives once it ends with these words. */
function until(said: string, words: string): string {
  return `while ((${said}) !== '${words}') await new Promise((next) => setTimeout(next, 10));
    console.log('${words}');`;
}

async function token(server: MortalServer): Promise<string> {
  return (await server.client()).token ?? '';
}

/** A page by CopilotKit, whose runtime is the printed one. */
const COPILOTKIT = {
  snippet: (): Snippet => snippetWith('ag-ui.md', 'new CopilotRuntime'),
  client: 'copilotkit',
  open: (threadId: string): string => `
    import { once } from 'node:events';
    import { createServer } from 'node:http';
    import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node';
    import { ProxiedCopilotRuntimeAgent } from '@copilotkit/core';
    const runtimeServer = createServer(createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' }));
    await once(runtimeServer.listen(0, '127.0.0.1'), 'listening');
    const runtimeUrl = 'http://127.0.0.1:' + runtimeServer.address().port + '/api/copilotkit';
    const page = new ProxiedCopilotRuntimeAgent({ runtimeUrl, agentId: 'mefali', threadId: '${threadId}' });
    const said = () => page.messages.at(-1)?.content;
    const ask = (content) => {
      page.addMessage({ id: crypto.randomUUID(), role: 'user', content });
      page.runAgent().catch(() => undefined);
    };
    void page.connectAgent().catch(() => undefined);`,
  ask: (question: string): string => `await page.connectAgent(); ask('${question}');`,
  stands: "'connected'",
} as const;

/** A page by assistant-ui, with the printed component in it. */
const ASSISTANT_UI = {
  snippet: (): Snippet => snippetWith('ag-ui.md', 'useAgUiRuntime({'),
  client: 'assistant-ui',
  open: (): string => `
    import { createElement } from 'react';
    import renderer from 'react-test-renderer';
    import { useAui } from '@assistant-ui/react';
    let aui;
    const Page = () => ((aui = useAui()), null);
    renderer.create(createElement(Chat, null, createElement(Page)));
    const said = () => {
      const last = aui?.thread().getState().messages.at(-1);
      return last?.content.map((part) => part.text ?? '').join('');
    };`,
  ask: (question: string): string => `
    while (!aui || aui.thread().getState().isLoading) await new Promise((next) => setTimeout(next, 10));
    aui.thread().append('${question}');`,
  stands: "'connected'",
} as const;

/** A page by the AI SDK, with the printed hook in it. */
const AI_SDK = {
  snippet: (): Snippet => snippetWith('ai-sdk.md', 'resume: true'),
  client: 'ai-sdk',
  open: (chatId: string): string => `
    import { createElement } from 'react';
    import renderer from 'react-test-renderer';
    let shown;
    const Page = () => ((shown = useAssistant('${chatId}')), null);
    renderer.create(createElement(Page));
    const said = () => shown?.chat.messages.at(-1)?.parts.map((part) => part.text ?? '').join('');`,
  ask: (question: string): string => `
    while (!shown) await new Promise((next) => setTimeout(next, 10));
    void shown.chat.sendMessage({ text: '${question}' });`,
  // What has ended before that is nothing to resume.
  stands: "shown?.chat.status === 'streaming' ? 'connected' : ''",
} as const;

describe.each([
  ['AG-UI, by CopilotKit', COPILOTKIT],
  ['AG-UI, by assistant-ui', ASSISTANT_UI],
  ['the AI SDK', AI_SDK],
])('the page of %s', (_name, page) => {
  it('asks, and has the thread again with what is under way when the server was killed', async () => {
    const mayGoOn = Promise.withResolvers<void>();
    await using server = await MortalServer.start(mayGoOn.promise);
    const threadId = newId();
    const surroundings = {
      url: server.url,
      folder: folderOf(page.client),
      // CopilotKit's runtime would tell its maker that it was started.
      environment: { COPILOTKIT_TELEMETRY_DISABLED: 'true' },
      before: `const token = '${await token(server)}', threadId = '${threadId}';`,
    };
    const asks = page.open(threadId) + page.ask(newQuestion()) + until('said()', 'Bonj');
    const first = await startSnippet(page.snippet(), { ...surroundings, after: `${asks} process.exit();` });
    await first.finished;
    await server.kill();
    await server.startAgain();
    const after = `${page.open(threadId)} ${until(page.stands, 'connected')} ${until('said()', 'Bonsoir.')}
      process.exit();`;
    const second = await startSnippet(page.snippet(), { ...surroundings, after });
    await second.says('connected');
    mayGoOn.resolve();
    expect(await second.finished).toBe('connected\nBonsoir.\n');
  });
});

it('the page of the AI SDK stops what is under way', async () => {
  await using app = await startApp(() => [text('Begun.'), hang()]);
  const ada = await app.client();
  await runSnippet(AI_SDK.snippet(), {
    url: app.url,
    folder: folderOf('ai-sdk'),
    before: `const token = '${ada.token ?? ''}';`,
    after: `${AI_SDK.open(newId())} ${AI_SDK.ask('Please wait.')} ${until('said()', 'Begun.')}
      await shown.stop();
      process.exit();`,
  });
  const newest = await eventually(
    () =>
      ada.get<{ turns: { edges: { node: { status: string } }[] } }>(
        '{ turns(first: 1) { edges { node { status } } } }',
      ),
    ({ turns }) => turns.edges[0]?.node.status === 'CANCELLED',
  );
  expect(newest.turns.edges[0]?.node.status).toBe('CANCELLED');
});

it('the page of OpenAI asks by the AI SDK', async () => {
  await using app = await startApp(() => [text('Here '), text('it is.'), finish()]);
  const said = await runSnippet(snippetWith('openai.md', 'createOpenAICompatible'), {
    url: app.url,
    folder: folderOf('ai-sdk'),
    environment: { PALABRE_API_KEY: (await app.client()).token ?? '' },
    after: 'console.log(text);',
  });
  expect(said).toBe('Here it is.\n');
});
