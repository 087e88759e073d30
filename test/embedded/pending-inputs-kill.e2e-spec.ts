import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { answerInput, checkInputs, type InputView, skillEnd, untilAsked } from '../harness/input-view.js';
import { Everything } from '../harness/mcp-everything.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { ScriptBook } from '../harness/script-book.js';
import { ServerProcess } from '../harness/server-process.js';
import type { TestClient } from '../harness/test-client.js';
import { makeDataDir } from '../harness/test-database.js';

const UPDATE = 'update_company_profile';
const ELICIT = 'before__trigger-elicitation-request';
const clientSkills = [
  { key: 'read_page', description: 'Reads the page.', parameters: { type: 'object', properties: {} } },
];

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let provider: ScriptedProvider;
let server: ServerProcess;
let client: TestClient;
let start: () => Promise<void>;

beforeAll(async () => {
  const dataDir = stack.use(await makeDataDir());
  provider = stack.adopt(await startScriptedProvider(book.replyTo), (one) => one.close());
  const today = stack.use(await ServerOfToday.start());
  const everything = stack.use(await Everything.start());
  start = async () => {
    server = await ServerProcess.start({
      DATA_DIR: dataDir.path,
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
      CONVERSATION_TITLES: 'question',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    client = await server.client();
  };
  await start();
  stack.defer(() => server[Symbol.asyncDispose]());
  for (const input of [
    { key: 'today', url: today.url },
    { key: 'before', url: everything.url },
  ]) {
    await client.get(
      'mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { id } }',
      {
        input,
      },
    );
  }
  for (const [key, required] of [
    ['today__deploy', false],
    [ELICIT, false],
    [UPDATE, true],
  ]) {
    await client.get(`mutation { setSkillApproval(key: "${key}", required: ${required}) { id } }`);
  }
});
afterAll(() => stack.disposeAsync());

/** The process dies, and another one starts. */
async function kill(): Promise<void> {
  await client.close();
  await server.kill('SIGKILL');
  await start();
}

/** What a turn waits for whose model calls this skill. */
async function askedBy(skill: string, input: object): Promise<InputView> {
  const question = book.add(
    [toolCall(skill, { ...input }, 'call_it'), finish()],
    [text('C’est fait.'), finish()],
  );
  const { turnId } = await client.ask(question, { assistantKey: 'mefali', clientSkills });
  const [asked] = await untilAsked(client, turnId);
  return asked!;
}

interface Kind {
  skill: string;
  input: object;
  answer: (id: string) => object;
  /** How the call ends, and what is in its result. */
  ends: [status: RegExp, told: RegExp];
}

const kinds: Record<string, Kind> = {
  APPROVAL: {
    skill: UPDATE,
    input: { city: 'Thiès' },
    answer: (approvalId) => ({ approval: { approvalId, approve: true } }),
    ends: [/SUCCEEDED/, /Thiès/],
  },
  QUESTION: {
    skill: 'ask_user',
    input: { prompt: 'Où ?' },
    answer: (id) => ({ question: { id, value: { answer: 'À Podor.' } } }),
    ends: [/SUCCEEDED/, /À Podor/],
  },
  CLIENT_SKILL: {
    skill: 'read_page',
    input: {},
    answer: (id) => ({ clientSkill: { id, result: 'Accueil' } }),
    ends: [/SUCCEEDED/, /Accueil/],
  },
  'MCP_INPUT of 2026, whose server is called again': {
    skill: 'today__deploy',
    input: {},
    answer: (id) => ({ mcp: { id, value: { region: 'west' } } }),
    ends: [/SUCCEEDED/, /west/],
  },
  'MCP_INPUT of 2025, whose connection is gone, and the call with it': {
    skill: ELICIT,
    input: {},
    answer: (id) => ({ mcp: { id, value: { name: 'Awa Diop' } } }),
    ends: [/FAILED/, /On ne sait pas si le service a fait/],
  },
};

it(`waits over a SIGKILL: ${Object.keys(kinds).join(', ')}`, async () => {
  const asked = new Map<string, InputView>();
  for (const [name, { skill, input }] of Object.entries(kinds)) asked.set(name, await askedBy(skill, input));
  await kill();
  for (const [name, { answer, ends }] of Object.entries(kinds)) {
    const { id, turnId } = asked.get(name)!;
    const answered = await answerInput(client, answer(id));
    const events = await client.allEvents(turnId);
    checkInputs(events);
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(skillEnd(events)).toMatchObject({
      callStatus: expect.stringMatching(ends[0]),
      resultPreview: expect.stringMatching(ends[1]),
    });
    expect(await answerInput(client, answer(id))).toEqual(answered);
  }
});

it('does not lose an answer to a SIGKILL right after it', async () => {
  const { skill, input, answer } = kinds.QUESTION!;
  const { id, turnId } = await askedBy(skill, input);
  const answered = await answerInput(client, answer(id));
  await kill();
  expect(await answerInput(client, answer(id))).toEqual(answered);
  const events = await client.allEvents(turnId);
  checkInputs(events);
  expect(skillEnd(events)).toMatchObject({
    callStatus: 'SUCCEEDED',
    resultPreview: expect.stringContaining('Podor'),
  });
});
