import { plugin as green } from '@palabre/green';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { maxTemplateLength, templateVariables } from '../../src/companies/assistants/prompt-template.js';
import { lastOf, systemOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

const PUBLISH = `mutation ($key: String!, $template: String!, $note: String) {
  publishPrompt(assistantKey: $key, template: $template, note: $note) {
    version template publishedAt publishedBy note } }`;
const ROLL_BACK = `mutation ($key: String!, $version: Int!) {
  rollbackPrompt(assistantKey: $key, version: $version) { version template } }`;
const UPDATE = `mutation ($key: String!, $input: UpdateAssistantInput!) {
  updateAssistant(key: $key, input: $input) { name model budget { maxSteps maxSeconds maxOutputTokens }
    backgroundBudget { maxSteps maxSeconds } } }`;
const ASSISTANT = `query ($key: String!) { assistant(key: $key) { name model
  budget { maxSteps maxSeconds maxOutputTokens } backgroundBudget { maxSteps maxSeconds }
  prompt { version template } promptHistory { version template publishedAt publishedBy note } } }`;

interface Prompt {
  version: number;
  template: string;
  publishedAt: string | null;
  publishedBy: string | null;
  note: string | null;
}
interface AssistantView {
  name: string;
  model: string | null;
  budget: object;
  backgroundBudget: object;
  prompt: Prompt | null;
  promptHistory: Prompt[];
}

const KEY = 'mefali';

const everyVariable = templateVariables.map((name) => `{${name}}`).join(' ');
function template(first: string): string {
  return `${first}\n${everyVariable}`;
}

let app: TestApp;
let reply: () => ProviderReply;
let admin: TestClient;
let company: string;

beforeAll(async () => {
  app = await shareApp(() => reply());
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  reply = () => [text('Bonjour.'), finish()];
  company = await app.company();
  admin = await app.client({ company });
});

async function publish(words: string, note?: string): Promise<Prompt> {
  return (
    await admin.get<{ publishPrompt: Prompt }>(PUBLISH, {
      key: KEY,
      template: template(words),
      note: note ?? null,
    })
  ).publishPrompt;
}

function rollBack(version: number, key = KEY) {
  return admin.send(ROLL_BACK, { key, version });
}

async function assistantOf(client: TestClient = admin, key = KEY): Promise<AssistantView> {
  return (await client.get<{ assistant: AssistantView }>(ASSISTANT, { key })).assistant;
}

/** What the model is told first, in a new turn. */
async function promptOfATurn(client: TestClient = admin): Promise<string> {
  const { turnId } = await client.ask('Salut');
  await client.allEvents(turnId);
  return systemOf(app.provider.requests.at(-1));
}

interface Audit {
  action: string;
  subject: string;
  details: object;
}

async function auditOf(client: TestClient = admin): Promise<Audit[]> {
  const { company } = await client.get<{ company: { id: string } }>('{ company { id } }');
  return app.database.transaction(company.id, (tx) =>
    tx.query<Audit>('SELECT action, subject, details FROM audit_entry ORDER BY id'),
  );
}

const shipped = green.assistants!.find(({ key }) => key === KEY)!;

describe('publishPrompt', () => {
  it('counts the versions, says who published them and why, and puts the newest in force', async () => {
    expect((await assistantOf()).prompt).toMatchObject({ version: 0, template: shipped.template });
    expect(await publish('One.', ' Shorter. ')).toEqual({
      version: 1,
      template: template('One.'),
      publishedAt: expect.stringMatching(/Z$/),
      publishedBy: 'ada',
      note: 'Shorter.',
    });
    expect(await publish('Two.')).toMatchObject({ version: 2, note: null });
    const { prompt, promptHistory } = await assistantOf();
    expect(prompt).toEqual({ version: 2, template: template('Two.') });
    expect(promptHistory.map(({ version, publishedBy, note }) => [version, publishedBy, note])).toEqual([
      [2, 'ada', null],
      [1, 'ada', 'Shorter.'],
      [0, null, null],
    ]);
    expect(await auditOf()).toEqual([
      { action: 'prompt.published', subject: KEY, details: { version: 1, before: 0 } },
      { action: 'prompt.published', subject: KEY, details: { version: 2, before: 1 } },
    ]);
  });

  it('is in force from the next turn on, and not in the one under way', async () => {
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const requests = app.provider.requests;
    reply = () => {
      if (lastOf(requests.at(-1)).role === 'tool') return [text('Done.'), finish()];
      arrived.resolve();
      return [gate(opened.promise), toolCall('get_company_profile', {}), finish()];
    };
    const { turnId } = await admin.ask('Salut');
    await arrived.promise;
    await publish('You are new here.');
    opened.resolve();
    await admin.allEvents(turnId);
    for (const request of requests.slice(-2)) expect(systemOf(request)).not.toContain('You are new here.');
    reply = () => [text('Bonjour.'), finish()];
    expect(await promptOfATurn()).toMatch(/^You are new here\./);
  });

  it('gives each of those who publish at once a version of their own', async () => {
    const words = Array.from({ length: 12 }, (_, index) => `Number ${index}.`);
    const published = await Promise.all(words.map((each) => publish(each)));
    expect(published.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
      words.map((_, index) => index + 1),
    );
    const { prompt, promptHistory } = await assistantOf();
    expect(prompt).toMatchObject({ version: words.length });
    expect(promptHistory.slice(0, -1)).toEqual(published.toSorted((a, b) => b.version - a.version));
  });

  it('names every wrong variable with its place, and every one that is missing', async () => {
    const wrong = `Tu es {nom}.\n\n  {compañía} et {nom}\n${everyVariable.replace('{profile}', '')}`;
    const { errors } = await admin.send(PUBLISH, { key: KEY, template: wrong });
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          argument: 'template',
          problems: [
            { kind: 'UNKNOWN_VARIABLE', variable: 'nom', line: 1, column: 7 },
            { kind: 'UNKNOWN_VARIABLE', variable: 'compañía', line: 3, column: 3 },
            { kind: 'UNKNOWN_VARIABLE', variable: 'nom', line: 3, column: 17 },
            { kind: 'MISSING_VARIABLE', variable: 'profile' },
          ],
        },
      },
    ]);
    for (const part of [
      '{nom} at line 1, column 7',
      '{compañía} at line 3, column 3',
      '{nom} at line 3, column 17',
      '{profile}',
    ]) {
      expect(errors![0]!.message).toContain(part);
    }
    expect((await assistantOf()).promptHistory).toHaveLength(1);
    expect(await auditOf()).toEqual([]);
  });

  it('takes 20,000 characters, and not one more', async () => {
    const longest = template('').padEnd(maxTemplateLength, '.');
    expect(longest).toHaveLength(20_000);
    const { errors } = await admin.send(PUBLISH, { key: KEY, template: `${longest}.` });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('20001'),
        extensions: { code: 'BAD_USER_INPUT', problems: [{ kind: 'TOO_LONG', length: 20_001 }] },
      },
    ]);
    expect(await admin.get(PUBLISH, { key: KEY, template: longest })).toMatchObject({
      publishPrompt: { version: 1 },
    });
    expect((await assistantOf()).prompt?.template).toBe(longest);
  });

  it('does not list thousands of problems', async () => {
    const { errors } = await admin.send<unknown>(PUBLISH, { key: KEY, template: '{x}'.repeat(50_000) });
    expect((errors![0]!.extensions.problems as object[]).length).toBe(50);
    expect(errors![0]!.message).toMatch(/And 49958 more\.$/);
  });

  it.each([
    ['an empty template', { template: '' }, 'template'],
    ['a template that nobody sees', { template: '\u200b\n' }, 'template'],
    ['a template of white space', { template: ' \n\t ' }, 'template'],
    ['a NUL in the template', { template: `${everyVariable}\0` }, 'template'],
    ['half a character in the template', { template: `${everyVariable}\uD800` }, 'template'],
    ['a note of 501 characters', { note: 'n'.repeat(501) }, 'note'],
    ['a NUL in the note', { note: 'a\0b' }, 'note'],
  ])('refuses %s', async (_what, wrong, argument) => {
    const { errors } = await admin.send(PUBLISH, { key: KEY, template: everyVariable, ...wrong });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument } }]);
    expect((await assistantOf()).prompt).toMatchObject({ version: 0 });
  });

  it('takes a note of 500 characters, and one of white space for none', async () => {
    expect(await publish('One.', 'n'.repeat(500))).toMatchObject({ note: 'n'.repeat(500) });
    expect(await publish('Two.', '  ')).toMatchObject({ note: null });
    expect(await publish('Three.', '\u200b')).toMatchObject({ note: null });
  });

  it.each(['nobody', 'mefali\0', ''])('knows no assistant %j', async (key) => {
    expect(await admin.codes(PUBLISH, { key, template: everyVariable })).toEqual(['NOT_FOUND']);
  });
});

describe('rollbackPrompt', () => {
  it('puts an earlier version back in force, down to the one that ships, and keeps the history', async () => {
    await publish('One.');
    await publish('Two.');
    const { promptHistory } = await assistantOf();
    expect((await rollBack(1)).data).toEqual({
      rollbackPrompt: { version: 1, template: template('One.') },
    });
    expect(await promptOfATurn()).toMatch(/^One\./);
    expect((await rollBack(0)).data).toEqual({
      rollbackPrompt: { version: 0, template: shipped.template },
    });
    expect(await promptOfATurn()).toContain(shipped.template.slice(0, 40));
    const after = await assistantOf();
    expect(after.prompt).toEqual({ version: 0, template: shipped.template });
    expect(after.promptHistory).toEqual(promptHistory);
    expect((await auditOf()).slice(2)).toEqual([
      { action: 'prompt.rolled-back', subject: KEY, details: { version: 1, before: 2 } },
      { action: 'prompt.rolled-back', subject: KEY, details: { version: 0, before: 1 } },
    ]);
    expect(await publish('Three.')).toMatchObject({ version: 3 });
  });

  it('changes nothing, and audits nothing, when the version is in force already', async () => {
    await publish('One.');
    expect((await rollBack(1)).data).toMatchObject({ rollbackPrompt: { version: 1 } });
    expect(await auditOf()).toHaveLength(1);
  });

  it('knows no version that was never published, nor an assistant that does not exist', async () => {
    await publish('One.');
    const codes = ({ errors = [] }: GraphQLAnswer<unknown>) =>
      errors.map(({ extensions }) => extensions.code);
    for (const version of [2, -1, 2_147_483_647])
      expect(codes(await rollBack(version))).toEqual(['NOT_FOUND']);
    expect(codes(await rollBack(0, 'nobody'))).toEqual(['NOT_FOUND']);
    expect((await assistantOf()).prompt).toMatchObject({ version: 1 });
  });
});

describe('updateAssistant', () => {
  const update = (input: object, key = KEY) =>
    admin.get<{ updateAssistant: object }>(UPDATE, { key, input }).then((data) => data.updateAssistant);

  it('changes what is given, in force on the next turn, and says so in the audit', async () => {
    const before = await assistantOf();
    expect(before.backgroundBudget).toEqual({ maxSteps: 30, maxSeconds: 900 });
    expect(await update({ name: 'Mefa', model: 'other-model', maxOutputTokens: 777 })).toEqual({
      name: 'Mefa',
      model: 'other-model',
      budget: { ...before.budget, maxOutputTokens: 777 },
      backgroundBudget: before.backgroundBudget,
    });
    await promptOfATurn();
    expect(app.provider.requests.at(-1)).toMatchObject({ model: 'other-model' });
    expect(
      await update({
        model: null,
        maxSteps: 3,
        maxSeconds: 60,
        backgroundMaxSteps: 40,
        backgroundMaxSeconds: 600,
      }),
    ).toEqual({
      name: 'Mefa',
      model: null,
      budget: { maxSteps: 3, maxSeconds: 60, maxOutputTokens: 777 },
      backgroundBudget: { maxSteps: 40, maxSeconds: 600 },
    });
    expect(await update({ maxSteps: 3 })).toMatchObject({ name: 'Mefa' });
    await promptOfATurn();
    expect(app.provider.requests.at(-1)).toMatchObject({ model: 'scripted' });
    expect(await auditOf()).toMatchObject([
      {
        action: 'assistant.updated',
        subject: KEY,
        details: { name: 'Mefa', model: 'other-model', maxOutputTokens: 777, before: { model: null } },
      },
      {
        action: 'assistant.updated',
        details: {
          model: null,
          maxSteps: 3,
          backgroundMaxSteps: 40,
          before: { model: 'other-model', backgroundMaxSteps: 30 },
        },
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['maxSteps', 0],
    ['maxSteps', 51],
    ['maxSteps', null],
    ['maxSeconds', 4],
    ['maxSeconds', 901],
    ['maxOutputTokens', 63],
    ['maxOutputTokens', 128_001],
    ['backgroundMaxSteps', 0],
    ['backgroundMaxSteps', 201],
    ['backgroundMaxSeconds', 4],
    ['backgroundMaxSeconds', 7_201],
    ['name', ''],
    ['name', '   '],
    ['name', 'n'.repeat(101)],
    ['name', '\u200b'],
    ['name', 'a\0b'],
    ['name', null],
    ['model', ''],
    ['model', 'm'.repeat(201)],
    ['model', 'a\nb'],
    ['model', 'a\u200bb'],
  ])('refuses %s: %.20j', async (field, value) => {
    const { errors } = await admin.send(UPDATE, { key: KEY, input: { [field]: value } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: `input.${field}` } }]);
    expect(await auditOf()).toEqual([]);
  });

  it('knows no assistant that does not exist', async () => {
    expect(await admin.codes(UPDATE, { key: 'nobody', input: {} })).toEqual(['NOT_FOUND']);
  });
});

describe('who may', () => {
  it('is no member: they may neither change prompts nor read them', async () => {
    await publish('One.');
    const member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    expect(await member.codes(PUBLISH, { key: KEY, template: everyVariable })).toEqual(['FORBIDDEN']);
    expect(await member.codes(ROLL_BACK, { key: KEY, version: 0 })).toEqual(['FORBIDDEN']);
    expect(await member.codes(UPDATE, { key: KEY, input: { name: 'Mine' } })).toEqual(['FORBIDDEN']);
    expect(await assistantOf(member)).toMatchObject({ name: 'Mefali', prompt: null, promptHistory: [] });
    expect((await assistantOf()).prompt).toMatchObject({ version: 1 });
    expect(await promptOfATurn(member)).toMatch(/^One\./);
  });

  it('is an operator, as well as an admin', async () => {
    const operator = await app.client({ company, sub: 'ops', role: 'OPERATOR' });
    expect(await operator.get(PUBLISH, { key: KEY, template: everyVariable })).toMatchObject({
      publishPrompt: { version: 1, publishedBy: 'ops' },
    });
  });

  it('is nobody of another company: its assistants of the same key stay as they are', async () => {
    const stranger = await app.client({ company: await app.company() });
    await publish('One.');
    await admin.get(UPDATE, { key: KEY, input: { name: 'Ours' } });
    expect(await assistantOf(stranger)).toMatchObject({
      name: 'Mefali',
      prompt: { version: 0 },
      promptHistory: [{ version: 0 }],
    });
    expect(await stranger.codes(ROLL_BACK, { key: KEY, version: 1 })).toEqual(['NOT_FOUND']);
    expect(await auditOf(stranger)).toEqual([]);
    expect(await stranger.get(PUBLISH, { key: KEY, template: template('Theirs.') })).toMatchObject({
      publishPrompt: { version: 1 },
    });
    expect((await assistantOf()).prompt?.template).toBe(template('One.'));
  });
});
