import { finish, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { REGENERATE } from '../harness/message-tree.js';
import { isUpkeep } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';

const KEY = 'sk-theirs-and-nobody-elses';
const FIELDS =
  'id key baseUrl hasApiKey api models { name contextWindow contextWindowSource reasoningEfforts }';
const SET = `mutation ($input: SetProviderInput!) { setProvider(input: $input) { ${FIELDS} } }`;
const TEST =
  'mutation ($model: String) { testProvider(key: "ours", model: $model) { ok message model api } }';
const REMOVE = 'mutation { removeProvider(key: "ours") }';
const LIST = `{ providers { ${FIELDS} } }`;

let app: TestApp;
/** The company's own. */
let own: ScriptedProvider;
let admin: TestClient;

function usual(request: JsonObject): ProviderReply {
  return isUpkeep(request) ? [status(503)] : [text('the usual'), finish()];
}

function theirs(request: JsonObject): ProviderReply {
  const input = (request['input'] ?? request['messages']) as JsonObject[];
  const hasResult = input.some(({ type }) => type === 'function_call_output');
  if (!Array.isArray(request['tools']) || hasResult) return [text('theirs'), finish()];
  return [reasoning('Hm.'), text('I look.'), toolCall('get_company_profile', {}, 'call_1'), finish()];
}

beforeAll(async () => {
  app = await startApp(usual, { OUTBOUND_ALLOW: '127.0.0.1', CONVERSATION_TITLES: 'question' });
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  own = await startScriptedProvider(theirs);
  app.provider.play(usual);
  admin = await app.client({ company: await app.company() });
});
afterEach(() => own.close());

function set(input: object, client = admin): Promise<{ setProvider: { id: string; baseUrl: string } }> {
  return client.get(SET, {
    input: { key: 'ours', baseUrl: own.baseUrl, api: 'RESPONSES', apiKey: KEY, ...input },
  });
}

function use(model: string, client = admin): Promise<unknown> {
  const input = { model, reasoningEffort: 'HIGH' };
  return client.get(
    'mutation ($input: UpdateAssistantInput!) { updateAssistant(key: "mefali", input: $input) { model reasoningEffort } }',
    { input },
  );
}

async function answerOf(client = admin): Promise<string> {
  const { turnId } = await client.ask('Bonjour');
  const events = await client.allEvents(turnId);
  return events.map((event) => ('text' in event ? event.text : '')).join('');
}

describe('a provider of a company', () => {
  it('is shown with what is known of its models, and never with its key', async () => {
    await set({ models: ['gpt-5-mini', 'our-own'] });
    const shown = await admin.get(LIST);
    expect(shown).toEqual({
      providers: [
        {
          id: expect.any(String),
          key: 'ours',
          baseUrl: own.baseUrl,
          hasApiKey: true,
          api: 'RESPONSES',
          models: [
            {
              name: 'gpt-5-mini',
              contextWindow: 272_000,
              contextWindowSource: 'KNOWN',
              reasoningEfforts: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'],
            },
            {
              name: 'our-own',
              contextWindow: 128_000,
              contextWindowSource: 'ASSUMED',
              reasoningEfforts: null,
            },
          ],
        },
      ],
    });
    expect(await tablesHolding(app.database, KEY)).toEqual([]);
    expect(
      await admin.get('{ auditEntries(first: 1) { edges { node { action subject details } } } }'),
    ).toMatchObject({
      auditEntries: {
        edges: [{ node: { action: 'provider.set', subject: 'ours', details: { apiKey: 'given' } } }],
      },
    });
  });

  it('is asked by the assistants whose model is its, with skills and thoughts, and nobody else is', async () => {
    await set({});
    expect(await use('ours/gpt-5')).toEqual({
      updateAssistant: { model: 'ours/gpt-5', reasoningEffort: 'HIGH' },
    });
    expect(await answerOf()).toBe('I look.theirs');
    expect(app.provider.requests).toEqual([]);
    expect(own.headers[0]).toMatchObject({ authorization: `Bearer ${KEY}` });
    const [first, second] = own.requests.filter((request) => !isUpkeep(request));
    expect(first).toMatchObject({ model: 'gpt-5', store: false, reasoning: { effort: 'high' } });
    expect(second?.['prompt_cache_key']).toBe(first?.['prompt_cache_key']);
    const inputOf = (body: JsonObject = {}) => body['input'] as JsonObject[];
    const carried = inputOf(second).filter(({ type }) => type !== undefined);
    expect(carried).toMatchObject([
      { type: 'reasoning', encrypted_content: 'sealed-0' },
      { type: 'function_call', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_1' },
    ]);
    const year = new Date().getUTCFullYear();
    const used = await admin.get<{ usage: object[] }>(
      `{ usage(from: "${year}-01-01", to: "${year}-12-31", groupBy: [MODEL]) { model costUsd } }`,
    );
    expect(used.usage).toContainEqual({ model: 'ours/gpt-5', costUsd: expect.any(Number) });
  });

  it('has its sealed thoughts back within the turn alone, and nobody is shown them', async () => {
    await set({});
    await use('ours/gpt-5');
    await admin.get(
      'mutation { updateAssistant(key: "mefali", input: { showsReasoning: true }) { showsReasoning } }',
    );
    const { turnId } = await admin.ask('Bonjour');
    const events = await admin.allEvents(turnId);
    const { turn } = await admin.get<{ turn: { question: { id: string } } }>(
      `query ($id: ID!) { turn(id: $id) { question { id } answer { parts { ... on ReasoningPart { text } } }
        prompts { messages } } }`,
      { id: turnId },
    );
    expect(JSON.stringify(own.requests)).toContain('sealed-0');
    expect(JSON.stringify([events, turn])).not.toContain('sealed-');
    const before = own.requests.length;
    const { regenerate } = await admin.get<{ regenerate: { turn: { id: string } } }>(REGENERATE, {
      input: { messageId: turn.question.id },
    });
    await admin.allEvents(regenerate.turn.id);
    const first = own.requests.slice(before).find((request) => !isUpkeep(request));
    expect(JSON.stringify(first)).not.toContain('sealed-');
  });

  it('is no other company’s, whatever its assistants ask for', async () => {
    await set({});
    const other = await app.client({ company: await app.company() });
    expect(await other.get(LIST)).toEqual({ providers: [] });
    await use('ours/gpt-5', other);
    expect(await answerOf(other)).toBe('the usual');
    expect(own.requests).toEqual([]);
    expect(app.provider.requests[0]).toMatchObject({ model: 'ours/gpt-5' });
    expect(await other.codes(TEST)).toEqual(['NOT_FOUND']);
    expect(await other.codes(REMOVE)).toEqual(['NOT_FOUND']);
  });

  it('is for admins alone', async () => {
    const member = await app.client({ role: 'MEMBER' });
    const input = { key: 'ours', baseUrl: own.baseUrl };
    expect(await member.codes(LIST)).toEqual(['FORBIDDEN']);
    expect(await member.codes(SET, { input })).toEqual(['FORBIDDEN']);
    expect(await member.codes(TEST)).toEqual(['FORBIDDEN']);
    expect(await member.codes(REMOVE)).toEqual(['FORBIDDEN']);
  });

  it('is tested by one call, whose outcome is told in words', async () => {
    await set({ models: ['m'] });
    expect(await admin.get(TEST)).toEqual({
      testProvider: {
        ok: true,
        message: 'm answers, asked by the Responses API.',
        model: 'm',
        api: 'RESPONSES',
      },
    });
    own.play(() => [status(401, { error: { message: `Incorrect API key provided: ${KEY}` } })]);
    const { testProvider: refused } = await admin.get<{ testProvider: { ok: boolean; message: string } }>(
      TEST,
    );
    expect(refused).toMatchObject({ ok: false });
    expect(refused.message).toMatch(/refused the key.*the key of the provider ours.*Incorrect API key/s);
    expect(refused.message).not.toContain(KEY);
    expect(await admin.codes(TEST, { model: '' })).toEqual(['BAD_USER_INPUT']);
  });

  it('is asked by chat completions where it has no other protocol, unless it says so', async () => {
    await set({ api: null, models: ['m'] });
    own.speaksResponses = false;
    expect(await admin.get(TEST)).toMatchObject({ testProvider: { ok: true, api: 'CHAT' } });
  });

  it('stays while assistants use it, and is gone with its key then', async () => {
    const { setProvider: made } = await set({});
    await use('ours/gpt-5');
    const { errors } = await admin.send(REMOVE);
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'CONFLICT', assistants: ['mefali'] } });
    const narrower = { input: { key: 'ours', baseUrl: own.baseUrl, models: ['gpt-5-mini'] } };
    expect(await admin.codes(SET, narrower)).toEqual(['CONFLICT']);
    await use('another');
    expect(await admin.get(REMOVE)).toEqual({ removeProvider: made.id });
    expect(await admin.get(LIST)).toEqual({ providers: [] });
  });

  it('takes over nobody’s turns by its name', async () => {
    await use('ours/gpt-5');
    const input = { key: 'ours', baseUrl: own.baseUrl };
    const { errors } = await admin.send(SET, { input });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('mefali (ours/gpt-5)'),
      extensions: { code: 'CONFLICT', assistants: ['mefali'] },
    });
    expect(await answerOf()).toBe('the usual');
    await use('another');
    await set({});
    await use('ours/gpt-5');
    expect(await answerOf()).toContain('theirs');
  });

  it('keeps its key while its host stays the same, and needs it again for another one', async () => {
    await set({});
    const input = { key: 'ours', baseUrl: `${own.baseUrl}/beta/` };
    expect(await admin.get(SET, { input })).toMatchObject({
      setProvider: { baseUrl: `${own.baseUrl}/beta`, hasApiKey: true, api: 'AUTO' },
    });
    expect(await admin.codes(SET, { input: { ...input, baseUrl: 'https://models.invalid/v1' } })).toEqual([
      'BAD_USER_INPUT',
    ]);
    expect(await admin.get(SET, { input: { ...input, apiKey: null } })).toMatchObject({
      setProvider: { hasApiKey: false },
    });
  });

  it('is one, whoever adds it at the same time', async () => {
    const made = await Promise.all([set({}), set({}), set({})]);
    expect(new Set(made.map(({ setProvider }) => setProvider.id)).size).toBe(1);
  });

  it.each([
    [{ key: 'Ours' }, 'input.key'],
    [{ baseUrl: 'ftp://models.invalid' }, 'input.baseUrl'],
    [{ baseUrl: 'https://ada:secret@models.invalid/v1' }, 'input.baseUrl'],
    [{ baseUrl: 'https://models.invalid/v1?key=secret' }, 'input.baseUrl'],
    [{ apiKey: 'two words' }, 'input.apiKey'],
    [{ models: [''] }, 'input.models.0'],
  ])('is refused where it is wrong: %j', async (wrong, path) => {
    const input = { key: 'ours', baseUrl: own.baseUrl, ...wrong };
    const { errors } = await admin.send(SET, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path: path.split('.') });
  });

  it('offers assistants no models but those that it lists', async () => {
    await set({ models: ['gpt-5-mini'] });
    const update = (model: string) =>
      admin.codes(`mutation { updateAssistant(key: "mefali", input: { model: "${model}" }) { model } }`);
    expect(await update('ours/gpt-5')).toEqual(['BAD_USER_INPUT']);
    expect(await update('ours/gpt-5-mini')).toEqual([]);
  });
});

it('a provider in a private network is not reached', async () => {
  await using guarded = await startApp(usual);
  const client = await guarded.client();
  for (const baseUrl of [own.baseUrl, own.baseUrl.replace('127.0.0.1', 'localhost')]) {
    await set({ baseUrl, models: ['m'] }, client);
    expect(await client.get(TEST)).toMatchObject({
      testProvider: { ok: false, message: expect.stringContaining('may not be reached from here') },
    });
  }
  expect(own.connections).toBe(0);
});
