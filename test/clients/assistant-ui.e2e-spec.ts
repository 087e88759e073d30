import type { HttpAgent } from '@ag-ui/client';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type * as React from 'react';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { MortalServer } from '../harness/mortal-server.js';
import { barrier, newQuestion, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { installed } from './installed.js';

/** What is used of assistant-ui's runtime. */
interface Runtime {
  thread: {
    append(message: string): void;
    getState(): {
      isRunning: boolean;
      messages: { role: string; content: { type: string; text?: string }[] }[];
    };
  };
  unstable_getPendingInterrupts(): { id: string }[];
  unstable_submitInterruptResponses(
    responses: { interruptId: string; status: 'resolved'; payload: unknown }[],
  ): Promise<void>;
}

const { createElement } = installed<typeof React>('assistant-ui', 'react');
const renderer = installed<{ create(element: React.ReactNode): { unmount(): void } }>(
  'assistant-ui',
  'react-test-renderer',
);
const { AssistantRuntimeProvider } = installed<{
  AssistantRuntimeProvider: React.FC<{ runtime: Runtime }>;
}>('assistant-ui', '@assistant-ui/react');
const { useAgUiRuntime } = installed<{ useAgUiRuntime(options: object): Runtime }>(
  'assistant-ui',
  '@assistant-ui/react-ag-ui',
);
const { HttpAgent: Agent } = installed<{ HttpAgent: new (options: object) => HttpAgent }>(
  'assistant-ui',
  '@ag-ui/client',
);

const UPDATE = 'update_company_profile';
const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;

beforeAll(async () => {
  app = stack.use(await startApp(book.replyTo));
  ada = await app.client();
  await ada.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
});
afterAll(() => stack.disposeAsync());

/** A page with assistant-ui's provider in it; its runtime, whenever it is asked for. */
async function pageFor(client: { url: string; token: string | null }): Promise<() => Runtime> {
  const agent = new Agent({
    url: `${client.url}/ag-ui/mefali`,
    headers: { authorization: `Bearer ${client.token}` },
    threadId: newId(),
  });
  let runtime: Runtime | null = null;
  function Page(): React.ReactNode {
    runtime = useAgUiRuntime({ agent });
    return createElement(AssistantRuntimeProvider, { runtime });
  }
  const root = renderer.create(createElement(Page));
  stack.defer(() => root.unmount());
  return eventually(
    async () => () => runtime!,
    () => runtime !== null,
  );
}

function saidIn(page: () => Runtime): string[] {
  return page()
    .thread.getState()
    .messages.filter(({ role }) => role === 'assistant')
    .map(({ content }) => content.map((part) => part.text ?? '').join(''));
}

async function until(page: () => Runtime, answer: string): Promise<void> {
  await eventually(
    async () => saidIn(page),
    (said) => said.at(-1) === answer && !page().thread.getState().isRunning,
  );
}

describe('@assistant-ui/react-ag-ui', () => {
  it('asks, streams, and asks again in the same conversation', async () => {
    const page = await pageFor(ada);
    const held = barrier();
    page().thread.append(book.add([text('Bon'), held.step, text('jour.'), finish()]));
    await eventually(
      async () => saidIn(page),
      (said) => said.at(-1) === 'Bon',
    );
    held.open();
    await until(page, 'Bonjour.');
    page().thread.append(book.add([text('Oui.'), finish()]));
    await until(page, 'Oui.');
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('Bonjour.');
  });

  it('answers what the turn waits for: an approval', async () => {
    const page = await pageFor(ada);
    page().thread.append(
      book.add([toolCall(UPDATE, { city: 'Thiès' }), finish()], [text('Fait.'), finish()]),
    );
    const [interrupt] = await eventually(
      async () => page().unstable_getPendingInterrupts(),
      (pending) => pending.length > 0,
    );
    await page().unstable_submitInterruptResponses([
      { interruptId: interrupt!.id, status: 'resolved', payload: { approved: true } },
    ]);
    await until(page, 'Fait.');
    expect(await ada.get('{ viewer { company { city } } }')).toEqual({
      viewer: { company: { city: 'Thiès' } },
    });
  });

  it('goes on in the thread after the server was killed', async () => {
    await using server = await MortalServer.start();
    const page = await pageFor(await server.client());
    page().thread.append(newQuestion());
    await eventually(
      async () => saidIn(page),
      (said) => said.at(-1) === 'Bonj',
    );
    await server.kill();
    await eventually(
      async () => page().thread.getState().isRunning,
      (isRunning) => !isRunning,
    );
    await server.startAgain();
    page().thread.append(newQuestion());
    await until(page, 'Bonsoir.');
  });
});
