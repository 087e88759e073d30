import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createPalabre, type StartTurnInput, type TurnState } from '@palabre/client';
import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { build, type Plugin } from 'vite';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { useTurn } from '../../examples/react/use-turn.js';
import { readRequest } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ANSWER = 'Vous êtes « Demo ».';

function replyTo(body: object): ProviderReply {
  const { messages } = readRequest(body as Parameters<typeof readRequest>[0]);
  if (messages.at(-1)?.role !== 'tool')
    return [text('Je regarde. '), toolCall('get_company_profile', {}), finish()];
  return [text('Vous êtes '), text('« Demo ».'), finish()];
}

let app: TestApp;
let ada: TestClient;
let folder: string;

beforeAll(async () => {
  app = await shareApp(replyTo);
  ada = await app.client();
  folder = await mkdtemp(join(tmpdir(), 'palabre-examples-'));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What Relay's Babel plugin does: a document is what the compiler made of it. */
const relayDocuments: Plugin = {
  name: 'relay-documents',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('examples/relay/ask.ts')) return null;
    const names = [...code.matchAll(/graphql`\s*\w+ (\w+)/g)].map(([, name]) => name);
    const imports = names.map((name) => `import ${name} from './__generated__/${name}.graphql.ts';`);
    return imports.join('\n') + code.replace(/graphql`\s*\w+ (\w+)[^`]*`/g, '$1');
  },
};

/** Builds an example as a front-end team does, and gives the folder with the files. */
async function built(example: string, input: string, plugins: Plugin[] = []): Promise<string> {
  const outDir = join(folder, example);
  const options = { external: [], input, preserveEntrySignatures: 'strict' as const };
  await build({
    configFile: false,
    logLevel: 'silent',
    root: join(root, 'examples', example),
    plugins,
    resolve: { conditions: ['@palabre/source', 'module', 'browser', 'production'] },
    define: { 'process.env.NODE_ENV': '"production"', __DEV__: 'false' },
    build: { outDir, minify: false, rollupOptions: options, modulePreload: false },
  });
  return outDir;
}

interface Example {
  connect(url: string, token: string): unknown;
  ask(client: unknown, input: StartTurnInput, show: (state: TurnState) => void): Promise<TurnState>;
}

function scriptIn(outDir: string): string {
  return pathToFileURL(join(outDir, globSync('assets/*.js', { cwd: outDir })[0] ?? '')).href;
}

it.each<[example: string, plugins: Plugin[]]>([
  ['apollo', []],
  ['urql', []],
  ['relay', [relayDocuments]],
])('%s asks and shows the turn', async (example, plugins) => {
  const outDir = await built(example, join(root, 'examples', example, 'ask.ts'), plugins);
  const { connect, ask } = (await import(/* @vite-ignore */ scriptIn(outDir))) as Example;
  const shown: TurnState[] = [];
  const input = { assistantKey: 'mefali', message: 'Qui sommes-nous ?' };
  const state = await ask(connect(app.url, ada.token!), input, (state) => shown.push(state));
  expect(state).toMatchObject({ text: ANSWER, end: { status: 'COMPLETED' } });
  expect(state.steps).toMatchObject([{ kind: 'preamble' }, { skill: 'get_company_profile' }]);
  expect(shown.length).toBeGreaterThan(3);
  const refused = ask(connect(app.url, ada.token!), { ...input, assistantKey: 'nobody' }, () => undefined);
  await expect(refused).rejects.toThrow();
});

it('has what Relay’s compiler makes of the documents', async () => {
  const compiler = join(root, 'node_modules/relay-compiler/cli.js');
  const cwd = join(root, 'examples/relay');
  await expect(
    promisify(execFile)(process.execPath, [compiler, '--validate'], { cwd }),
  ).resolves.toBeDefined();
});

describe('in a document', () => {
  /** Gives this process the document, as a browser has one. */
  function openDocument(html: string): Document {
    const { document, window } = parseHTML(html);
    vi.stubGlobal('document', document);
    vi.stubGlobal('window', window);
    return document;
  }
  afterAll(() => vi.unstubAllGlobals());

  it('the React hook shows a turn', async () => {
    const document = openDocument('<!doctype html><html><body><main></main></body></html>');
    const palabre = createPalabre({ url: app.url, token: ada.token });
    const { turnId } = await ada.ask('Qui sommes-nous ?');
    function Answer() {
      const { state, error } = useTurn(palabre, turnId);
      return createElement('p', { title: state.status }, String(error ?? state.text));
    }
    const main = document.querySelector('main')!;
    const page = createRoot(main);
    page.render(createElement(Answer));
    await vi.waitUntil(() => main.querySelector('p')?.title === 'COMPLETED', { timeout: 30_000 });
    expect(main.textContent).toBe(ANSWER);
    page.unmount();
    // What React has still to do needs the document.
    await new Promise(setImmediate);
    await palabre.close();
  });

  it('the page asks and shows the answer', async () => {
    const outDir = await built('page', join(root, 'examples/page/index.html'));
    const document = openDocument(await readFile(join(outDir, 'index.html'), 'utf8'));
    Object.assign(document.documentElement.dataset, { url: app.url, token: ada.token });
    await import(/* @vite-ignore */ scriptIn(outDir));
    document.querySelector('input')!.value = 'Qui sommes-nous ?';
    const event = Object.assign(document.createEvent('Event'), {});
    event.initEvent('submit', true, true);
    document.querySelector('form')!.dispatchEvent(event);
    const status = document.querySelector('#status')!;
    await vi.waitUntil(() => /^(COMPLETED|\w*Error)/.test(status.textContent ?? ''), { timeout: 30_000 });
    expect([status.textContent, document.querySelector('output')!.textContent]).toEqual([
      'COMPLETED',
      ANSWER,
    ]);
  });
});
