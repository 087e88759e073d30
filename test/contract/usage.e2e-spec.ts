import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { seenToEnd } from '../harness/laws.js';
import { identityOf } from '../harness/notification-view.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';
import { daysAround, promptsOf, sentIn, SET_QUOTA, setQuota, USAGE, usageOf } from '../harness/usage-view.js';

const LOOK = 'get_company_profile';
const DAY_MS = 86_400_000;

/** Of one call: 200 × 2 + 800 × 0.5 + 100 × 10 millionths. */
const COST = 0.0018;
const counted = finish(null, { inputTokens: 1000, cachedInputTokens: 800, outputTokens: 100 });
const uncounted = finish(null, { source: 'ESTIMATED' });
const answer: ProviderReply = [text('Bonjour.'), counted];

const book = new ScriptBook();
let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-prices-'));
  const prices = join(folder, 'prices.json');
  await writeFile(prices, JSON.stringify({ scripted: { input: 2, cachedInput: 0.5, output: 10 } }));
  app = await startApp(book.replyTo, { MODELS_FILE: prices });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** An admin and a member of a company of their own. */
async function people(): Promise<{ admin: TestClient; member: TestClient }> {
  const company = await app.company();
  return {
    admin: await app.client({ company }),
    member: await app.client({ company, sub: 'bea', role: 'MEMBER' }),
  };
}

async function ask(client: TestClient, replies: readonly ProviderReply[] = [answer], input?: object) {
  const { turnId } = await client.ask(book.add(...replies), input);
  await seenToEnd(client, turnId);
  return turnId;
}

describe('what a turn used up', () => {
  it('is the sum of its calls, by the provider’s count and the operator’s prices', async () => {
    const { admin } = await people();
    const turnId = await ask(admin, [[toolCall(LOOK), counted], answer]);
    const { turn } = await admin.get<{ turn: { usage: { costUsd: number } } }>(
      `query ($id: ID!) { turn(id: $id) { usage { inputTokens outputTokens cachedInputTokens modelCalls skillCalls
         costUsd } } }`,
      { id: turnId },
    );
    expect(turn.usage).toEqual({
      inputTokens: 2000,
      outputTokens: 200,
      cachedInputTokens: 1600,
      modelCalls: 2,
      skillCalls: 1,
      costUsd: expect.closeTo(2 * COST, 9),
    });
  });

  it('is added up by whatever an admin asks for', async () => {
    const { admin, member } = await people();
    const [{ id: adminId }, { id: memberId }] = [await identityOf(admin), await identityOf(member)];
    await ask(admin);
    await ask(admin, [[text('Hm.'), uncounted]]);
    await ask(member, [answer], { assistantKey: 'solven' });
    const [all, ...others] = await usageOf(admin, []);
    expect(others).toEqual([]);
    expect(all).toMatchObject({
      modelCalls: 3,
      estimatedCalls: 1,
      unpricedCalls: 0,
      memberId: null,
      day: null,
    });
    expect(all?.inputTokens).toBeGreaterThan(2000);
    const byMember = await usageOf(admin, ['MEMBER', 'ASSISTANT', 'MODEL']);
    expect(byMember).toHaveLength(2);
    expect(byMember).toContainEqual(
      expect.objectContaining({
        memberId,
        assistantKey: 'solven',
        model: 'scripted',
        modelCalls: 1,
        estimatedCalls: 0,
        inputTokens: 1000,
        outputTokens: 100,
        cachedInputTokens: 800,
        costUsd: expect.closeTo(COST, 9),
      }),
    );
    expect(byMember).toContainEqual(
      expect.objectContaining({
        memberId: adminId,
        assistantKey: 'mefali',
        modelCalls: 2,
        estimatedCalls: 1,
      }),
    );
    const daily = await usageOf(admin, ['DAY']);
    expect(daily.reduce((sum, { modelCalls }) => sum + Number(modelCalls), 0)).toBe(3);
    for (const { day } of daily) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('is nothing where nothing was asked', async () => {
    const { admin } = await people();
    expect([await usageOf(admin, ['DAY']), await usageOf(admin, [])]).toEqual([[], []]);
  });

  it.each([
    { from: '2026-02-30', to: '2026-03-01' },
    { from: 'yesterday', to: '2026-01-01' },
  ])('is not told of %j', async (days) => {
    const { admin } = await people();
    expect(await admin.codes(USAGE, { ...days, groupBy: [] })).toEqual(['BAD_USER_INPUT']);
  });

  it.each([
    ['to', { from: '2026-01-02', to: '2026-01-01' }],
    ['to', { from: '2025-01-01', to: '2026-01-03' }],
    ['to', { from: '0001-01-01', to: '0000-12-31' }],
    ['from', { from: '0000-01-01', to: '0000-01-02' }],
    ['from', { from: '0000-12-31', to: '0001-01-02' }],
  ])('says that %s is wrong of %j', async (argument, days) => {
    const { admin } = await people();
    const { errors } = await admin.send(USAGE, { ...days, groupBy: [] });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', path: [argument], argument } }]);
  });

  it.each([
    { from: '0001-01-01', to: '0001-01-02' },
    { from: '9999-12-30', to: '9999-12-31' },
  ])('is nothing for %j', async (days) => {
    const { admin } = await people();
    expect(await admin.get(USAGE, { ...days, groupBy: ['DAY'] })).toEqual({ usage: [] });
  });

  it('is each company’s own, and its admins’ to see', async () => {
    const { admin, member } = await people();
    const { admin: stranger } = await people();
    await ask(member);
    expect(await usageOf(admin, [])).toMatchObject([{ modelCalls: 1 }]);
    expect((await usageOf(stranger, [])).filter(({ modelCalls }) => modelCalls !== 0)).toEqual([]);
    expect(await member.codes(USAGE, { ...daysAround(), groupBy: [] })).toEqual(['FORBIDDEN']);
    expect(await member.codes('{ quotas { period } }')).toEqual(['FORBIDDEN']);
    const input = { subject: 'COMPANY', period: 'DAY', maxTokens: 1 };
    expect(await member.codes(SET_QUOTA, { input })).toEqual(['FORBIDDEN']);
  });
});

describe('a quota', () => {
  it.each([
    ['maxTokens', 2e15, 1e15],
    ['maxCostUsd', 2e9, 1e9],
  ])('is refused above the most for %s, which is told', async (name, given, most) => {
    const { admin } = await people();
    const input = { subject: 'COMPANY', period: 'DAY', [name]: given };
    const { errors } = await admin.send(SET_QUOTA, { input });
    expect(errors).toMatchObject([
      { message: expect.stringContaining(String(most)), extensions: { path: ['input', name] } },
    ]);
  });

  const start = (client: TestClient): Promise<StartTurnAnswer & { resetsAt?: string }> =>
    client.startTurn({ assistantKey: 'mefali', message: book.add(answer) });

  it('of the company refuses whoever asks beyond it, and says when there will be more', async () => {
    const { admin, member } = await people();
    const { admin: stranger } = await people();
    await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 1100 });
    await ask(admin);
    const requests = app.provider.requests.length;
    const refused = await start(member);
    expect(refused).toMatchObject({
      __typename: 'QuotaExceeded',
      message: expect.stringMatching(/^Votre entreprise /),
    });
    const resetsAt = Date.parse(refused.resetsAt ?? '');
    expect(resetsAt % DAY_MS).toBe(0);
    expect(resetsAt - Date.now()).toBeLessThanOrEqual(DAY_MS);
    expect(app.provider.requests).toHaveLength(requests);
    await ask(stranger);

    await setQuota(admin, { subject: 'COMPANY', period: 'DAY' });
    await ask(member);
  });

  it('of each member is theirs alone, and one of their own comes before it', async () => {
    const { admin, member } = await people();
    const { id: memberId } = await identityOf(member);
    await setQuota(admin, { subject: 'EACH_MEMBER', period: 'MONTH', maxCostUsd: COST });
    await ask(member);
    const refused = await start(member);
    expect(refused).toMatchObject({ __typename: 'QuotaExceeded' });
    expect(new Date(refused.resetsAt ?? '').getUTCDate()).toBe(1);
    await ask(admin);
    await setQuota(admin, { subject: 'MEMBER', memberId, period: 'MONTH', maxCostUsd: 10 });
    await ask(member);
    expect(await start(admin)).toMatchObject({ __typename: 'QuotaExceeded' });
    await setQuota(admin, {
      subject: 'MEMBER',
      memberId: memberId.toUpperCase(),
      period: 'MONTH',
      maxCostUsd: 0,
    });
    expect(await start(member)).toMatchObject({ __typename: 'QuotaExceeded' });
  });

  it('ends a turn under way that passes it', async () => {
    const { admin } = await people();
    await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 500 });
    const requests = app.provider.requests.length;
    const turnId = await ask(admin, [[text('Je regarde.'), toolCall(LOOK), counted], answer]);
    expect(await turnOf(admin, turnId)).toMatchObject({
      status: 'FAILED',
      finishReason: 'ERROR',
      error: { code: 'RATE_LIMITED', retryable: false },
      skillCalls: [{ status: 'SUCCEEDED' }],
    });
    expect(app.provider.requests).toHaveLength(requests + 1);
  });
});

describe('the prompts of a turn', () => {
  it('are shown to admins, whole, exactly as the provider was sent them', async () => {
    const { admin } = await people();
    const before = app.provider.requests.length;
    const turnId = await ask(admin, [
      [text('Je regarde.'), toolCall(LOOK), counted],
      [toolCall(LOOK, '{"broken'), counted],
      [text('Voilà.'), uncounted],
    ]);
    const requests = app.provider.requests.slice(before);
    const prompts = await promptsOf(admin, turnId);
    expect(prompts.map(({ messages, tools }) => ({ messages, tools }))).toEqual(requests.map(sentIn));
    expect(prompts).toMatchObject([
      { purpose: 'ANSWER', model: 'scripted', outcome: 'tool-calls', estimated: false, inputTokens: 1000 },
      { outcome: 'tool-calls', costUsd: expect.closeTo(COST, 9), cachedInputTokens: 800 },
      { outcome: 'stop', estimated: true },
    ]);
  });

  it('are nobody else’s to see', async () => {
    const { member } = await people();
    expect(await promptsOf(member, await ask(member))).toEqual([]);
  });
});
