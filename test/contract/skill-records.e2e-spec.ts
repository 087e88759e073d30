import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { identityOf } from '../harness/notification-view.js';
import { lastOf, resultIn } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const FOOTPRINT = 'calculate_carbon_footprint';
const RECORDS = `query ($kind: String!, $subject: String, $first: Int, $after: String) {
  skillRecords(kind: $kind, subject: $subject, first: $first, after: $after) {
    edges { node { id kind subject version title memberName content sources { title url } } }
    pageInfo { hasNextPage endCursor } } }`;
const DELETE = 'mutation ($id: ID!) { deleteSkillRecord(id: $id) }';
const FILES = `query ($id: ID!) { turn(id: $id) { files { name mediaType url } answer { text } } }`;

interface RecordView {
  id: string;
  subject: string;
  version: number;
  title: string;
  memberName: string | null;
  content: { given: JsonObject; result: { totalKgCO2e: number } };
  sources: { title: string; url: string }[];
}
interface Records {
  skillRecords: {
    edges: { node: RecordView }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

let app: TestApp;
let reply: (body: JsonObject) => ProviderReply;
let company: string;
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;

beforeAll(async () => {
  app = await shareApp((body) => reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
});

/** Has a model call these skills at once, in a conversation of its own, and gives the turn and the results. */
async function call(client: TestClient, ...calls: [skill: string, input: JsonObject][]) {
  const results: JsonObject[] = [];
  reply = (body) => {
    if (lastOf(body).role !== 'tool')
      return [...calls.map(([skill, input]) => toolCall(skill, input)), finish()];
    results.push(resultIn(lastOf(body).content) as JsonObject);
    return [text('Voilà.'), finish()];
  };
  const { turnId } = await client.ask('Calcule.', { assistantKey: 'mefali' });
  const events = await client.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  return { turnId, result: results[0] ?? {} };
}

async function recordsOf(client: TestClient, variables: object = {}): Promise<RecordView[]> {
  const { skillRecords } = await client.get<Records>(RECORDS, { kind: 'footprint', ...variables });
  return skillRecords.edges.map(({ node }) => node);
}

function diesel(quantity: number): JsonObject {
  return { activity: 'diesel', quantity, unit: 'litre' };
}

it('belong to the company: colleagues read them, in the API and in conversations of their own', async () => {
  await call(awa, [FOOTPRINT, { period: '2025', items: [diesel(3_500)] }]);
  const [record] = await recordsOf(ben);
  expect(record).toMatchObject({
    subject: '2025',
    version: 1,
    title: expect.stringMatching(/^9[.,]32\s?tCO2e$/),
    memberName: 'awa',
    content: { given: { items: [diesel(3_500)] }, result: { totalKgCO2e: 9_315.425 } },
    sources: [{ title: expect.stringContaining('2024'), url: expect.stringMatching(/^https:/) }],
  });
  const { result } = await call(ben, [FOOTPRINT, {}]);
  expect(result).toMatchObject({ totalTonnesCO2e: 9.315, version: 1 });
  const node = await ben.get('query ($id: ID!) { node(id: $id) { ... on SkillRecord { version } } }', {
    id: record!.id,
  });
  expect(node).toEqual({ node: { version: 1 } });
});

it('are of another company to nobody', async () => {
  await call(awa, [FOOTPRINT, { items: [diesel(1)] }]);
  const stranger = await app.client({ company: await app.company() });
  expect(await recordsOf(stranger)).toEqual([]);
  const refused = await call(stranger, [FOOTPRINT, {}]);
  expect(refused.result).toEqual({ error: expect.stringContaining('pas encore d’empreinte') });
});

it('have versions, of which the newest is listed, and all of a subject on demand', async () => {
  await call(awa, [FOOTPRINT, { period: '2025', items: [diesel(10)] }]);
  await call(ben, [FOOTPRINT, { period: '2025', change: 'correction', items: [diesel(20)] }]);
  await call(ben, [FOOTPRINT, { period: '2024', items: [diesel(5)] }]);
  const view = (records: RecordView[]) =>
    records.map(({ subject, version, memberName }) => `${subject} v${version} ${memberName}`);
  expect(view(await recordsOf(awa))).toEqual(['2024 v1 ben', '2025 v2 ben']);
  expect(view(await recordsOf(awa, { subject: '2025' }))).toEqual(['2025 v2 ben', '2025 v1 awa']);
  const { skillRecords } = await awa.get<Records>(RECORDS, { kind: 'footprint', first: 1 });
  expect(skillRecords.pageInfo.hasNextPage).toBe(true);
  const rest = await recordsOf(awa, { first: 1, after: skillRecords.pageInfo.endCursor });
  expect(view(rest)).toEqual(['2025 v2 ben']);
});

it('lose nothing when two are changed at the same time', async () => {
  const changes = ['diesel', 'petrol', 'lpg', 'natural_gas'].map((activity) => ({
    period: '2025',
    change: 'correction',
    items: [{ activity, quantity: 10, unit: activity === 'natural_gas' ? 'm3' : 'litre' }],
  }));
  await call(awa, ...changes.map((input): [string, JsonObject] => [FOOTPRINT, input]));
  const [record] = await recordsOf(awa);
  expect(record?.version).toBe(4);
  const items = record?.content.given.items as { activity: string }[];
  expect(items.map(({ activity }) => activity).toSorted()).toEqual([
    'diesel',
    'lpg',
    'natural_gas',
    'petrol',
  ]);
});

it('keep no variant', async () => {
  await call(awa, [FOOTPRINT, { items: [diesel(10)] }]);
  const { result } = await call(awa, [FOOTPRINT, { items: [diesel(5)], change: 'variant' }]);
  expect(result).toMatchObject({ variant: true, summary: expect.stringContaining('Variante') });
  expect((await recordsOf(awa)).map(({ version }) => version)).toEqual([1]);
});

it('are removed by an admin with all their versions, which is audited', async () => {
  await call(awa, [FOOTPRINT, { period: '2025', items: [diesel(10)] }]);
  await call(awa, [FOOTPRINT, { period: '2025', change: 'correction', items: [diesel(20)] }]);
  const [record] = await recordsOf(ada);
  expect(await awa.codes(DELETE, { id: record!.id })).toEqual(['FORBIDDEN']);
  expect(await ada.get(DELETE, { id: record!.id })).toEqual({ deleteSkillRecord: record!.id });
  expect(await recordsOf(ada, { subject: '2025' })).toEqual([]);
  expect(await ada.codes(DELETE, { id: record!.id })).toEqual(['NOT_FOUND']);
  const audit = '{ auditEntries(first: 1) { edges { node { action subject details } } } }';
  expect(await ada.get(audit)).toEqual({
    auditEntries: {
      edges: [
        { node: { action: 'skill-record.deleted', subject: 'footprint', details: { subject: '2025' } } },
      ],
    },
  });
});

it('stay when who had them made is erased, without their name', async () => {
  await call(awa, [FOOTPRINT, { items: [diesel(10)] }]);
  const { id, companyId } = await identityOf(awa);
  await app.database.transaction(companyId, async (tx) => {
    for (const table of ['message', 'turn', 'conversation', 'notification'])
      await tx.query(`DELETE FROM ${table} WHERE company_id = $1`, [companyId]);
    await tx.query('DELETE FROM member WHERE id = $1', [id]);
  });
  expect(await recordsOf(ada)).toMatchObject([{ version: 1, memberName: null }]);
});

it('are of kinds that packages declare, with the schema of their content', async () => {
  const { skillRecordKinds } = await awa.get<{
    skillRecordKinds: { kind: string; plugin: string; description: string; schema: JsonObject }[];
  }>('{ skillRecordKinds { kind plugin description schema } }');
  expect(skillRecordKinds.map(({ kind }) => kind)).toEqual([
    'footprint',
    'assessment',
    'financing_search',
    'application',
  ]);
  for (const { plugin, description, schema } of skillRecordKinds) {
    expect(plugin).toBe('@palabre/green');
    expect(description).toContain('given');
    expect(schema).toMatchObject({ type: 'object', required: ['given', 'result'] });
  }
  expect(await awa.codes(RECORDS, { kind: 'recipe' })).toEqual(['BAD_USER_INPUT']);
});

it('make a report in another conversation, whose files the turn has, with links that are made anew', async () => {
  await call(awa, [FOOTPRINT, { period: '2025', items: [diesel(3_500)] }]);
  const { turnId, result } = await call(awa, ['generate_report', { kind: 'carbon', format: 'docx' }]);
  expect(JSON.stringify(result)).not.toContain('http');
  interface Shown {
    turn: { files: { name: string; mediaType: string; url: string }[] } | null;
  }
  const { turn } = await awa.get<Shown>(FILES, { id: turnId });
  expect(turn?.files).toEqual([
    {
      name: expect.stringMatching(/^(Rapport carbone|Carbon report).*\.docx$/),
      mediaType: expect.stringContaining('wordprocessingml'),
      url: expect.stringContaining('/files/'),
    },
  ]);
  const response = await fetch(turn!.files[0]!.url.replace(/^https?:\/\/[^/]+/, app.url));
  expect(response.status).toBe(200);
  expect(await ben.get<Shown>(FILES, { id: turnId })).toEqual({ turn: null });
});
