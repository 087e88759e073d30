import { finish, gate, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { templateVariables } from '../../src/companies/assistants/prompt-template.js';
import { isUpkeep, readRequest, systemOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const FIELDS = `key name language strategy model archived retrieval
  budget { maxSteps maxSeconds maxOutputTokens } prompt { version template } skills { key }`;
const CREATE = `mutation ($input: CreateAssistantInput!) { created: createAssistant(input: $input) { ${FIELDS} } }`;
const COPY = `mutation ($key: String!, $newKey: String!, $name: String!) {
  created: copyAssistant(key: $key, newKey: $newKey, name: $name) { ${FIELDS} } }`;
const ARCHIVE = `mutation ($key: String!, $archived: Boolean!) {
  archiveAssistant(key: $key, archived: $archived) { key archived } }`;
const UPDATE = `mutation ($key: String!, $input: UpdateAssistantInput!) {
  updateAssistant(key: $key, input: $input) { ${FIELDS} } }`;
const ONE = `query ($key: String!) { assistant(key: $key) { ${FIELDS} } }`;
const LIST = '{ assistants { key } }';
const AUDIT = '{ auditEntries(first: 20) { edges { node { action subject details } } } }';

interface AssistantView {
  key: string;
  archived: boolean;
  budget: object;
  prompt: { version: number; template: string } | null;
  skills: { key: string }[];
}

const template = `Vous êtes le conseiller. ${templateVariables.map((name) => `{${name}}`).join(' ')}`;
const adviser = { key: 'conseil', name: 'Conseil', language: 'fr-sn', strategy: 'REACTIVE', template };

let app: TestApp;
let admin: TestClient;
let member: TestClient;
let reply: (body: JsonObject) => ProviderReply;
let asked: JsonObject[];

beforeAll(async () => {
  app = await shareApp((body) => {
    if (isUpkeep(body)) return [finish()];
    asked.push(body);
    return reply(body);
  });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  asked = [];
  reply = () => [text('Fine.'), finish()];
  const company = await app.company();
  admin = await app.client({ company });
  member = await app.client({ company, sub: 'moussa', role: 'MEMBER' });
});

async function create(input: object = {}): Promise<AssistantView> {
  return (await admin.get<{ created: AssistantView }>(CREATE, { input: { ...adviser, ...input } })).created;
}

async function errorsOf(client: TestClient, query: string, variables: object) {
  const { errors = [] } = await client.send(query, variables);
  return errors.map(({ extensions: { code, path } }) => [code, path]);
}

function keysOf({ skills }: Pick<AssistantView, 'skills'>): string[] {
  return skills.map(({ key }) => key);
}

async function keys(client: TestClient): Promise<string[]> {
  return (await client.get<{ assistants: { key: string }[] }>(LIST)).assistants.map(({ key }) => key);
}

describe('createAssistant', () => {
  it('makes one that answers by its own prompt, with the skills that are named', async () => {
    expect(await create({ skills: ['get_company_profile'] })).toMatchObject({
      key: 'conseil',
      language: 'fr-SN',
      strategy: 'REACTIVE',
      model: null,
      archived: false,
      retrieval: 'FORCED',
      budget: { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 },
      prompt: { version: 1, template },
      skills: [{ key: 'get_company_profile' }],
    });
    const { turnId } = await member.ask('Bonjour', { assistantKey: 'conseil' });
    await member.allEvents(turnId);
    expect(systemOf(asked[0]!)).toContain('Vous êtes le conseiller.');
    const tools = (readRequest(asked[0]!).tools ?? []).map(({ function: { name } }) => name);
    expect(tools).toContain('get_company_profile');
    expect(tools).not.toContain('remember');
    const { auditEntries } = await admin.get<{ auditEntries: { edges: { node: object }[] } }>(AUDIT);
    expect(auditEntries.edges.map(({ node }) => node)).toMatchObject([
      { action: 'prompt.published', subject: 'conseil', details: { version: 1 } },
      { action: 'assistant.created', subject: 'conseil', details: { skills: ['get_company_profile'] } },
    ]);
  });

  it.each([
    [{ key: 'Avec Espace' }, 'BAD_USER_INPUT', ['input', 'key']],
    [{ name: '' }, 'BAD_USER_INPUT', ['input', 'name']],
    [{ language: 'klingon!' }, 'BAD_USER_INPUT', ['input', 'language']],
    [{ template: 'Sans variables.' }, 'BAD_USER_INPUT', ['input', 'template']],
    [{ template: '' }, 'BAD_USER_INPUT', ['input', 'template']],
    [{ skills: ['remember', 'nothing'] }, 'NOT_FOUND', ['input', 'skills', '1']],
    [{ key: 'mefali' }, 'CONFLICT', ['input', 'key']],
  ])('refuses %j', async (input, code, path) => {
    const before = await keys(admin);
    expect(await errorsOf(admin, CREATE, { input: { ...adviser, ...input } })).toEqual([[code, path]]);
    expect(await keys(admin)).toEqual(before);
  });

  it('is for admins, up to a number of them', async () => {
    expect(await errorsOf(member, CREATE, { input: adviser })).toMatchObject([['FORBIDDEN', undefined]]);
    const first = (await keys(admin)).length;
    for (let made = first; made < 100; made += 1) await create({ key: `number-${made}` });
    const { errors } = await admin.send(CREATE, { input: adviser });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', limit: 100 } }]);
  });
});

describe('copyAssistant', () => {
  it('makes the same with another key, which changes by itself from then on', async () => {
    await admin.get(
      'mutation { setSkillAccess(key: "update_company_profile", leastRole: MEMBER, assistants: ["therese"]) { key } }',
    );
    await admin.get(UPDATE, { key: 'therese', input: { maxSteps: 3 } });
    const { assistant: original } = await admin.get<{ assistant: AssistantView }>(ONE, { key: 'therese' });
    const { created } = await admin.get<{ created: AssistantView }>(COPY, {
      key: 'therese',
      newKey: 'therese-2',
      name: 'Thérèse bis',
    });
    expect(created).toEqual({
      ...original,
      key: 'therese-2',
      name: 'Thérèse bis',
      prompt: { version: 1, template: original.prompt!.template },
    });
    expect(keysOf(created)).toContain('update_company_profile');
    await admin.get(UPDATE, { key: 'therese', input: { maxSteps: 7 } });
    expect(
      (await admin.get<{ assistant: AssistantView }>(ONE, { key: 'therese-2' })).assistant.budget,
    ).toEqual(created.budget);
    const toolsOf = async (assistantKey: string): Promise<string[]> => {
      asked = [];
      const { turnId } = await member.ask('Bonjour', { assistantKey });
      await member.allEvents(turnId);
      return (readRequest(asked[0]!).tools ?? []).map(({ function: { name } }) => name).toSorted();
    };
    expect(await toolsOf('therese-2')).toEqual(await toolsOf('therese'));
  });

  it.each([
    [{ key: 'nobody' }, 'NOT_FOUND', ['key']],
    [{ newKey: 'mefali' }, 'CONFLICT', ['newKey']],
    [{ newKey: 'É' }, 'BAD_USER_INPUT', ['newKey']],
    [{ name: ' ' }, 'BAD_USER_INPUT', ['name']],
  ])('refuses %j', async (given, code, path) => {
    const variables = { key: 'solven', newKey: 'copy', name: 'Copia', ...given };
    expect(await errorsOf(admin, COPY, variables)).toEqual([[code, path]]);
    expect(await keys(admin)).not.toContain('copy');
  });
});

describe('archiveAssistant', () => {
  it('lets it begin no more turns, until it is taken back; what was said stays', async () => {
    const said = Promise.withResolvers<void>();
    reply = () => [gate(said.promise), text('Fine.'), finish()];
    const { turnId, conversationId } = await member.ask('Bonjour', { assistantKey: 'solven' });
    expect(await admin.get(ARCHIVE, { key: 'solven', archived: true })).toEqual({
      archiveAssistant: { key: 'solven', archived: true },
    });
    said.resolve();
    expect((await member.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
    const start = 'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }';
    const again = 'mutation ($input: RegenerateInput!) { regenerate(input: $input) { __typename } }';
    const { conversation } = await member.get<{
      conversation: { assistant: object; messages: { edges: { node: { id: string; text: string } }[] } };
    }>(
      `query ($id: ID!) { conversation(id: $id) {
        assistant { key archived } messages(first: 10) { edges { node { id text } } } } }`,
      { id: conversationId },
    );
    expect(conversation.assistant).toEqual({ key: 'solven', archived: true });
    expect(conversation.messages.edges.map(({ node }) => node.text)).toEqual(['Bonjour', 'Fine.']);
    const refusal = (path: string) => [['BAD_USER_INPUT', ['input', path]]];
    const { node } = conversation.messages.edges[0]!;
    expect(await errorsOf(member, start, { input: { assistantKey: 'solven', message: 'Encore' } })).toEqual(
      refusal('assistantKey'),
    );
    expect(await errorsOf(member, start, { input: { conversationId, message: 'Encore' } })).toEqual(
      refusal('conversationId'),
    );
    expect(await errorsOf(member, again, { input: { messageId: node.id } })).toEqual(refusal('messageId'));
    expect(await keys(member)).not.toContain('solven');
    expect(await keys(admin)).toContain('solven');
    await admin.get(ARCHIVE, { key: 'solven', archived: false });
    expect((await member.startTurn({ conversationId, message: 'Encore' })).__typename).toBe('TurnAccepted');
  });

  it('is for admins, and audited once', async () => {
    expect(await errorsOf(member, ARCHIVE, { key: 'solven', archived: true })).toMatchObject([
      ['FORBIDDEN', undefined],
    ]);
    for (const archived of [true, true]) await admin.get(ARCHIVE, { key: 'solven', archived });
    expect(await errorsOf(admin, ARCHIVE, { key: 'nobody', archived: true })).toEqual([
      ['NOT_FOUND', ['key']],
    ]);
    const { auditEntries } = await admin.get<{ auditEntries: { edges: { node: object }[] } }>(AUDIT);
    expect(auditEntries.edges.map(({ node }) => node)).toMatchObject([
      { action: 'assistant.archived', subject: 'solven' },
    ]);
  });
});

it('updateAssistant changes language, strategy and skills too', async () => {
  await create();
  const input = { language: 'es', strategy: 'GROUNDED', skills: ['recall'] };
  const { updateAssistant } = await admin.get<{ updateAssistant: AssistantView }>(UPDATE, {
    key: 'conseil',
    input,
  });
  expect(updateAssistant).toMatchObject({
    language: 'es',
    strategy: 'GROUNDED',
    skills: [{ key: 'recall' }],
  });
  expect(await errorsOf(admin, UPDATE, { key: 'conseil', input: { skills: ['nothing'] } })).toEqual([
    ['NOT_FOUND', ['input', 'skills', '0']],
  ]);
  const all = await admin.get<{ updateAssistant: AssistantView }>(UPDATE, {
    key: 'conseil',
    input: { skills: null },
  });
  expect(all.updateAssistant.skills.length).toBeGreaterThan(1);
});
