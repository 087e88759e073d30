import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { ManualClock } from '../../src/common/manual-clock.double.js';
import { loadMigrations } from '../../src/platform/database/migrate.js';
import { eventually } from '../harness/eventually.js';
import { seenToEnd } from '../harness/laws.js';
import { identityOf } from '../harness/notification-view.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { daysAround, setQuota, turnUsageOf, usageOf } from '../harness/usage-view.js';

const DAY_MS = 86_400_000;
const ERASE = 'mutation ($id: ID!) { eraseMember(id: $id) }';
const ERASED = '00000000-0000-0000-0000-000000000000';

/** As much as a provider is believed of one call. */
const MANY_TOKENS = 100_000_000;

const COLUMNS =
  'subject, period, first_day::text AS day, tokens::text, round(cost_usd::numeric, 9)::text AS cost';

let book: ScriptBook;
let clock: ManualClock;
let app: TestApp;
let admin: TestClient;
let member: TestClient;
let companyId: string;

beforeAll(async () => {
  book = new ScriptBook();
  clock = new ManualClock(new Date('2026-01-30T21:00:00Z'));
  app = await startApp(book.replyTo, {}, { clock });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  const company = await app.company();
  admin = await app.client({ company });
  member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
  ({ companyId } = await identityOf(admin));
});

async function ask(client: TestClient, tokens: number, assistantKey = 'mefali'): Promise<string> {
  const counted = finish(null, { inputTokens: tokens, outputTokens: 10 });
  const { turnId } = await client.ask(
    book.add([toolCall('get_company_profile'), counted], [text('Oui.'), counted]),
    {
      assistantKey,
    },
  );
  expect((await seenToEnd(client, turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  return turnId;
}

interface Total {
  subject: string;
  period: string;
  day: string;
  tokens: string;
  cost: string;
}

function kept(): Promise<Total[]> {
  return app.database.transaction(companyId, (tx) =>
    tx.query<Total>(
      `SELECT ${COLUMNS} FROM (
         SELECT subject, period, first_day, sum(tokens) AS tokens, sum(cost_usd) AS cost_usd FROM provider_total
         GROUP BY 1, 2, 3) AS total ORDER BY 1, 2, 3`,
    ),
  );
}

/** What the totals have to be, by the rows that they are the totals of. */
function addedUp(): Promise<Total[]> {
  return app.database.transaction(companyId, (tx) =>
    tx.query<Total>(
      `SELECT ${COLUMNS} FROM (
         SELECT subject, period, CASE period WHEN 'DAY' THEN day ELSE date_trunc('month', day)::date END AS first_day,
           sum(input_tokens + output_tokens) AS tokens, sum(cost_usd) AS cost_usd
         FROM usage_day, unnest(ARRAY['COMPANY', member_id::text]) AS subject, unnest(ARRAY['DAY', 'MONTH']) AS period
         GROUP BY 1, 2, 3) AS used ORDER BY 1, 2, 3`,
    ),
  );
}

it('are the sums of what was used up: over days, months, members and assistants', async () => {
  for (const day of [1, 2, 3]) {
    await Promise.all([ask(admin, 100 * day), ask(admin, 100 * day + 1, 'solven'), ask(member, 10 * day)]);
    clock.advance(DAY_MS);
  }
  const totals = await kept();
  expect(totals).toEqual(await addedUp());
  // Three days and two months, of the company and of two members.
  expect(totals).toHaveLength(3 * (3 + 2));
});

it('stay so when a member is erased, whose share is the company’s to pay', async () => {
  const { id } = await identityOf(member);
  await Promise.all([ask(admin, 100), ask(member, 1000)]);
  await admin.get(ERASE, { id });
  await eventually(kept, (totals) => totals.every(({ subject }) => subject !== id));
  const totals = await kept();
  expect(totals).toEqual(await addedUp());
  expect(totals.filter(({ subject }) => subject === ERASED).map(({ tokens }) => tokens)).toEqual([
    '2020',
    '2020',
  ]);
});

it('are made of what was used up before they were kept', async () => {
  await Promise.all([ask(admin, 100), ask(member, 1000)]);
  const before = await kept();
  const [QuotasOfProviders, TotalsByProvider] = (await loadMigrations()).filter(({ name }) =>
    /^(?:QuotasOfProviders|TotalsByProvider)/.test(name),
  );
  const migrations = [new QuotasOfProviders!(), new TotalsByProvider!()];
  const runner = app.database.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    for (const migration of migrations.toReversed()) await migration.down(runner);
    const rows = `SELECT subject, period, first_day::text AS day FROM usage_total
      WHERE company_id = $1 ORDER BY 1, 2, 3`;
    expect(await runner.query(rows, [companyId])).toEqual(
      before.map(({ subject, period, day }) => ({ subject, period, day })),
    );
    for (const migration of migrations) await migration.up(runner);
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
  expect(await kept()).toEqual(before);
  await ask(admin, 100);
  expect(await kept()).toEqual(await addedUp());
});

it('may be more than 32 bits hold, and are shown and held against quotas all the same', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'MONTH', maxTokens: 24 * MANY_TOKENS + 240 });
  const turns = 12;
  for (let turn = 0; turn < turns; turn += 1) {
    const turnId = await ask(admin, MANY_TOKENS);
    expect(await turnUsageOf(admin, turnId)).toMatchObject({ inputTokens: 2 * MANY_TOKENS });
  }
  expect(await usageOf(admin, [], daysAround(clock.now()))).toMatchObject([
    { modelCalls: 24, inputTokens: 24 * MANY_TOKENS },
  ]);
  expect(24 * MANY_TOKENS).toBeGreaterThan(2 ** 31);
  expect(await admin.startTurn({ assistantKey: 'mefali', message: book.add() })).toMatchObject({
    __typename: 'QuotaExceeded',
  });
});
