import { buildSchema, parse as parseOperation, validate } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { readFileSync } from 'node:fs';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { readRequest, toolsOf } from '../harness/provider-request.js';
import { upkeepReply } from '../harness/script-book.js';
import { ServerProcess } from '../harness/server-process.js';
import {
  isThere,
  runSnippet,
  runSnippetBy,
  type Snippet,
  snippetsIn,
  snippetWith,
} from '../harness/snippets.js';
import type { TestClient } from '../harness/test-client.js';
import { makeDataDir } from '../harness/test-database.js';

const PAGES = ['ag-ui.md', 'ai-sdk.md', 'mcp.md', 'openai.md'];
const USE_CHAT = { '@ai-sdk/react': new URL('../harness/use-chat.ts', import.meta.url) };
const SCHEMA = new URL('../../schema.graphql', import.meta.url);

const stack = new AsyncDisposableStack();
const requests: JsonObject[] = [];
let server: ServerProcess;
let ada: TestClient;
let token: string;

/** It answers at once, unless it is asked to wait, or may read the user's page. */
function replyTo(body: JsonObject): ProviderReply {
  const kept = upkeepReply(body);
  if (kept) return kept;
  requests.push(body);
  const last = readRequest(body).messages.at(-1);
  if (last?.content.includes('Please wait.')) return [text('Begun.'), gate(new Promise(() => undefined))];
  const readsPage = last?.role !== 'tool' && toolsOf(body).includes('read_page');
  return readsPage ? [toolCall('read_page', {}), finish()] : [text('Here '), text('it is.'), finish()];
}

beforeAll(async () => {
  const dataDir = stack.use(await makeDataDir());
  const provider = stack.use(await startScriptedProvider(replyTo));
  server = stack.use(
    await ServerProcess.start({
      DATA_DIR: dataDir.path,
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
      CONVERSATION_TITLES: 'question',
    }),
  );
  ada = await server.client();
  token = ada.token ?? '';
});
afterAll(() => stack.disposeAsync());

const ran = new Set<string>();

function run(snippet: Snippet, surroundings: Omit<Parameters<typeof runSnippet>[1], 'url'>): Promise<string> {
  ran.add(snippet.code);
  return runSnippet(snippet, { url: server.url, ...surroundings });
}

interface Turn {
  status: string;
  conversation: { id: string };
}

/** The newest first. */
async function turns(): Promise<Turn[]> {
  const { turns } = await ada.get<{ turns: { edges: { node: Turn }[] } }>(
    '{ turns(first: 2) { edges { node { status conversation { id } } } } }',
  );
  return turns.edges.map(({ node }) => node);
}

async function untilCancelled(): Promise<void> {
  await eventually(turns, ([newest]) => newest?.status === 'CANCELLED');
}

describe('the page of OpenAI', () => {
  const environment = (): Record<string, string> => ({ PALABRE_API_KEY: token });

  function runBy(interpreter: 'python3' | 'sh', snippet: Snippet): Promise<string> {
    return runSnippetBy(interpreter, snippet, { url: server.url, environment: environment() });
  }

  it('asks by Responses, and goes on with a stream', async () => {
    const said = await run(snippetWith('openai.md', 'openai.responses.create'), {
      environment: environment(),
    });
    expect(said).toBe('Here it is.');
    const [newest, before] = await turns();
    expect(newest?.conversation).toEqual(before?.conversation);
  });

  it.skipIf(!isThere('curl', '--version'))('asks by curl', async () => {
    const snippet = snippetWith('openai.md', 'curl ');
    const response = JSON.parse(await runBy('sh', snippet)) as { status: string; output: unknown };
    expect(response.status).toBe('completed');
    expect(JSON.stringify(response.output)).toContain('Here it is.');
  });

  it.skipIf(!isThere('python3', '-c', 'import openai'))('asks in the background by Python', async () => {
    expect(await runBy('python3', snippetWith('openai.md', 'from openai import'))).toBe('Here it is.');
  });

  it('asks by chat completions', async () => {
    const snippet = snippetWith('openai.md', 'openai.chat.completions.create');
    expect(await run(snippet, { environment: environment() })).toBe('Here it is.\n');
  });
});

describe('the page of AG-UI', () => {
  it('asks by HttpAgent', async () => {
    const said = await run(snippetWith('ag-ui.md', 'await agent.runAgent()'), {
      before: `const token = '${token}', threadId = '${newId()}';`,
      after: 'console.log(JSON.stringify(agent.messages.map(({ role, content }) => [role, content])));',
    });
    expect(JSON.parse(said)).toEqual([
      ['user', 'How much did we emit?'],
      ['assistant', 'Here it is.'],
    ]);
  });

  it('stops a run by its address', async () => {
    await run(snippetWith('ag-ui.md', 'mefali/cancel'), {
      before: `
        import { HttpAgent } from '@ag-ui/client';
        const token = '${token}';
        const headers = { authorization: 'Bearer ' + token };
        const agent = new HttpAgent({ url: '${server.url}/ag-ui/mefali', headers, threadId: '${newId()}' });
        agent.addMessage({ id: '${newId()}', role: 'user', content: 'Please wait.' });
        let run;
        await new Promise((begun) => {
          run = agent.runAgent({}, { onTextMessageContentEvent: () => begun() });
        });`,
      after: 'await run;',
    });
    await untilCancelled();
  });
});

describe('the page of the AI SDK', () => {
  it('asks, finds the chat again after a reload, and stops', async () => {
    const snippet = snippetWith('ai-sdk.md', 'resume: true');
    const before = `const token = '${token}';`;
    const open = `const { chat, stop } = useAssistant('${newId()}');`;
    const until = (words: string): string => `
      while (!JSON.stringify(chat.messages).includes('${words}')) await new Promise((next) => setTimeout(next, 10));`;
    const asked = await run(snippet, {
      before,
      standIns: USE_CHAT,
      after: `${open} await chat.sendMessage({ text: 'Hello.' }); ${until('Here it is.')}
        void chat.sendMessage({ text: 'Please wait.' }); ${until('Begun.')}
        console.log('left');
        process.exit();`,
    });
    expect(asked).toBe('left\n');
    expect((await turns())[0]?.status).toBe('RUNNING');
    await run(snippet, { before, standIns: USE_CHAT, after: `${open} ${until('Begun.')} await stop();` });
    await untilCancelled();
  });

  it('carries out a tool of the front end', async () => {
    const said = await run(snippetWith('ai-sdk.md', 'readPage'), {
      standIns: USE_CHAT,
      before: `
        import { useChat } from '@ai-sdk/react';
        import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
        const api = '${server.url}/ai-sdk/mefali', headers = { authorization: 'Bearer ${token}' };
        const document = { title: 'Our factory in Thiès' };`,
      after: `
        await chat.sendMessage({ text: 'What does my page say?' });
        while (!JSON.stringify(chat.messages).includes('it is.')) await new Promise((next) => setTimeout(next, 10));
        console.log(JSON.stringify(chat.messages));`,
    });
    expect(said).toContain('Here it is.');
    expect(JSON.stringify(requests.at(-1))).toContain('Our factory in Thiès');
  });
});

describe('the page of MCP', () => {
  it('connects a host with a key that is made as it says', async () => {
    const { code } = snippetWith('mcp.md', 'createApiKey');
    const { createApiKey } = await ada.get<{ createApiKey: { secret: string } }>(code);
    const said = await run(snippetWith('mcp.md', 'client.callTool'), {
      environment: { PALABRE_TOKEN: createApiKey.secret },
    });
    expect(said).toContain('Here it is.');
    expect(said).toContain("status: 'COMPLETED'");
  });
});

describe('all pages of doors', () => {
  /** What `npm run test:clients` runs, with packages that are not installed here. */
  const ELSEWHERE = ['@ai-sdk/openai-compatible', '@copilotkit/runtime/v2', '@assistant-ui/react'];

  it.each(PAGES)('%s has no program that nobody runs', (page) => {
    const programs = snippetsIn(page).filter(({ language }) => ['js', 'ts', 'tsx', 'jsx'].includes(language));
    expect(programs).not.toEqual([]);
    const notRun = programs.filter(
      ({ code }) => !ran.has(code) && !ELSEWHERE.some((name) => code.includes(`from '${name}'`)),
    );
    expect(notRun).toEqual([]);
  });

  it.each(PAGES)('%s prints JSON, YAML and GraphQL that can be read', (page) => {
    const schema = buildSchema(readFileSync(SCHEMA, 'utf8'));
    for (const { language, code } of snippetsIn(page)) {
      if (language === 'json') expect(JSON.parse(code)).toBeTruthy();
      if (language === 'yaml') expect(parseYaml(code)).toBeTruthy();
      if (language === 'graphql') expect(validate(schema, parseOperation(code))).toEqual([]);
    }
  });
});
