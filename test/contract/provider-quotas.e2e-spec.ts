import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { ManualClock } from '../../src/common/manual-clock.double.js';
import { loadMigrations } from '../../src/platform/database/migrate.js';
import { eventually } from '../harness/eventually.js';
import { seenToEnd } from '../harness/laws.js';
import { identityOf } from '../harness/notification-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';
import { SET_QUOTA, setQuota } from '../harness/usage-view.js';

const SET_PROVIDER = 'mutation ($input: SetProviderInput!) { setProvider(input: $input) { id } }';
const USE =
  'mutation ($key: String!, $model: String!) { updateAssistant(key: $key, input: { model: $model }) { key } }';
const QUOTAS = '{ quotas { subject period provider maxTokens } }';

/** A hundred tokens each. */
const counted = finish(null, { inputTokens: 90, outputTokens: 10 });
const answer: ProviderReply = [text('Bonjour.'), counted];
const looks: ProviderReply = [toolCall('get_company_profile'), counted];

let app: TestApp;
let own: ScriptedProvider;
let company: string;
let admin: TestClient;

beforeAll(async () => {
  const clock = new ManualClock(new Date('2026-01-31T12:00:00Z'));
  const settings = { OUTBOUND_ALLOW: '127.0.0.1', CONVERSATION_TITLES: 'question' };
  own = await startScriptedProvider(() => answer);
  app = await startApp(() => answer, settings, { clock });
});
afterAll(async () => {
  await own.close();
  await app[Symbol.asyncDispose]();
});
beforeEach(async () => {
  own.play(() => answer);
  company = await app.company();
  admin = await withProvider(company);
});

/** Its assistant mefali asks the company's own provider, and solven the installation's. */
async function withProvider(slug: string): Promise<TestClient> {
  const client = await app.client({ company: slug });
  const input = { key: 'ours', baseUrl: own.baseUrl, api: 'CHAT' };
  await client.get(SET_PROVIDER, { input });
  await client.get(USE, { key: 'mefali', model: 'ours/m' });
  return client;
}

function start(client: TestClient, assistantKey: string): Promise<StartTurnAnswer & { message?: string }> {
  return client.startTurn({ assistantKey, message: 'Bonjour' });
}

async function ended(client: TestClient, assistantKey: string): Promise<unknown> {
  const { turn } = await start(client, assistantKey);
  const id = turn?.id ?? '';
  await seenToEnd(client, id);
  return turnOf(client, id);
}

const completed = { status: 'COMPLETED', answer: { text: 'Bonjour.' } };

it('refuses what is asked of its provider, counted over turns, and nothing else', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'MONTH', provider: 'ours', maxTokens: 200 });
  for (const assistant of ['solven', 'solven', 'mefali', 'mefali'])
    expect(await ended(admin, assistant)).toMatchObject(completed);
  const asked = own.requests.length;
  expect(await start(admin, 'mefali')).toMatchObject({
    __typename: 'QuotaExceeded',
    message: expect.stringMatching(
      /^Votre entreprise a épuisé son quota du mois chez le fournisseur ours\. /,
    ),
    resetsAt: '2026-02-01T00:00:00.000Z',
  });
  expect(own.requests).toHaveLength(asked);
  expect(await ended(admin, 'solven')).toMatchObject(completed);
  const other = await withProvider(await app.company());
  expect(await ended(other, 'mefali')).toMatchObject(completed);
});

it('may be for the installation’s, beside those for all, and is lifted by itself', async () => {
  const usual = { subject: 'EACH_MEMBER', period: 'DAY', provider: 'INSTALLATION' };
  await setQuota(admin, { ...usual, maxTokens: 100 });
  await setQuota(admin, { subject: 'EACH_MEMBER', period: 'DAY', maxTokens: 300 });
  expect(await admin.get(QUOTAS)).toEqual({
    quotas: [
      { subject: 'EACH_MEMBER', period: 'DAY', provider: null, maxTokens: 300 },
      { ...usual, maxTokens: 100 },
    ],
  });
  expect(await ended(admin, 'solven')).toMatchObject(completed);
  expect(await start(admin, 'solven')).toMatchObject({
    __typename: 'QuotaExceeded',
    message: expect.stringMatching(/^Ha agotado su cuota .* en el proveedor de modelos de la instalación\. /),
  });
  expect(await ended(admin, 'mefali')).toMatchObject(completed);
  await setQuota(admin, usual);
  expect(await ended(admin, 'solven')).toMatchObject(completed);
  // Those for all count what every provider was asked.
  expect(await start(admin, 'mefali')).toMatchObject({
    __typename: 'QuotaExceeded',
    message: expect.stringMatching(/ quota du jour\. /),
  });
});

it('gives way to a member’s own for the same provider', async () => {
  const { id } = await identityOf(admin);
  const theirs = { period: 'DAY', provider: 'ours' };
  await setQuota(admin, { ...theirs, subject: 'EACH_MEMBER', maxTokens: 0 });
  expect(await start(admin, 'mefali')).toMatchObject({ __typename: 'QuotaExceeded' });
  await setQuota(admin, { period: 'DAY', subject: 'MEMBER', memberId: id, maxTokens: 1_000 });
  expect(await start(admin, 'mefali')).toMatchObject({ __typename: 'QuotaExceeded' });
  await setQuota(admin, { ...theirs, subject: 'MEMBER', memberId: id, maxTokens: 100 });
  expect(await ended(admin, 'mefali')).toMatchObject(completed);
  expect(await start(admin, 'mefali')).toMatchObject({ __typename: 'QuotaExceeded' });
});

it('ends a turn that passes it at its next call, and asks no other provider instead', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', provider: 'ours', maxTokens: 100 });
  own.play(({ tools }: JsonObject) => (tools === undefined ? [status(503)] : looks));
  const elsewhere = app.provider.requests.length;
  expect(await ended(admin, 'mefali')).toMatchObject({
    status: 'FAILED',
    error: {
      code: 'RATE_LIMITED',
      message: expect.stringContaining(' chez le fournisseur ours. '),
      retryable: false,
    },
  });
  expect(app.provider.requests).toHaveLength(elsewhere);
});

it('goes with its provider, and comes back with none of its name', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', provider: 'ours', maxTokens: 0 });
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 1_000 });
  await admin.get(USE, { key: 'mefali', model: 'scripted' });
  await admin.get('mutation { deleteProvider(key: "ours") }');
  const left = { quotas: [{ subject: 'COMPANY', period: 'DAY', provider: null, maxTokens: 1_000 }] };
  expect(await admin.get(QUOTAS)).toEqual(left);
  await admin.get(SET_PROVIDER, { input: { key: 'ours', baseUrl: own.baseUrl, api: 'CHAT' } });
  await admin.get(USE, { key: 'mefali', model: 'ours/m' });
  expect(await admin.get(QUOTAS)).toEqual(left);
  expect(await ended(admin, 'mefali')).toMatchObject(completed);
});

it.each(['theirs', 'OURS', 'installation', ''])(
  'is for no provider that is not there: %j',
  async (provider) => {
    const input = { subject: 'COMPANY', period: 'DAY', provider, maxTokens: 1 };
    const { errors } = await admin.send(SET_QUOTA, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path: ['input', 'provider'] });
    expect(await admin.get(QUOTAS)).toEqual({ quotas: [] });
  },
);

describe('what is counted by provider', () => {
  const TOTALS = `SELECT subject, period, first_day::text AS day, provider, tokens::text FROM provider_total
    ORDER BY 1, 2, 3, 4`;
  const kept = async (): Promise<{ subject: string; tokens: string; provider: string }[]> => {
    const { companyId } = await identityOf(admin);
    return app.database.transaction(companyId, (tx) => tx.query(TOTALS));
  };

  it('is made of what was used up before it was kept', async () => {
    for (const assistant of ['mefali', 'mefali', 'solven']) await ended(admin, assistant);
    const before = await kept();
    const byProvider = [
      ['INSTALLATION', '100'],
      ['ours', '200'],
    ];
    // The company's day and month, and the member's.
    expect(before.map(({ provider, tokens }) => [provider, tokens])).toEqual(
      [1, 2, 3, 4].flatMap(() => byProvider),
    );
    const Migration = (await loadMigrations()).find(({ name }) => name.startsWith('QuotasOfProviders'));
    const migration = new Migration!();
    await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 300 });
    await setQuota(admin, { subject: 'COMPANY', period: 'DAY', provider: 'ours', maxTokens: 300 });
    const runner = app.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await migration.down(runner);
      await migration.up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    expect(await kept()).toEqual(before);
    expect(await admin.get(QUOTAS)).toMatchObject({ quotas: [{ provider: null, maxTokens: 300 }] });
  });

  it('stays the company’s when a member is erased', async () => {
    const member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    const { id } = await identityOf(member);
    await ended(member, 'mefali');
    await ended(member, 'solven');
    const before = await kept();
    await admin.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id });
    await eventually(kept, (totals) => totals.every(({ subject }) => subject !== id));
    const erased = '00000000-0000-0000-0000-000000000000';
    const moved = before.map((total) => (total.subject === id ? { ...total, subject: erased } : total));
    expect(new Set(await kept())).toEqual(new Set(moved));
  });
});
