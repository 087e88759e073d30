import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';

import { ManualClock } from '../../src/common/manual-clock.double.js';
import { seenToEnd } from '../harness/laws.js';
import { identityOf } from '../harness/notification-view.js';
import { toolsOf } from '../harness/provider-request.js';
import { type BookReply, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';
import { daysAround, SET_QUOTA, setQuota, turnUsageOf, usageOf } from '../harness/usage-view.js';

const LOOK = 'get_company_profile';
const HOUR_MS = 3_600_000;

/** A hundred tokens each. */
const counted = finish(null, { inputTokens: 90, outputTokens: 10 });
const answer: ProviderReply = [text('Bonjour.'), counted];
const spent = {
  status: 'FAILED',
  finishReason: 'ERROR',
  error: { code: 'RATE_LIMITED', retryable: false },
};

let book: ScriptBook;
let clock: ManualClock;
let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  book = new ScriptBook();
  clock = new ManualClock(new Date('2026-01-31T21:00:00Z'));
  app = await startApp(book.replyTo, {}, { clock });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  admin = await app.client({ company: await app.company() });
});

type Refusable = StartTurnAnswer & { resetsAt?: string };

function start(client: TestClient, assistantKey = 'mefali', ...replies: BookReply[]): Promise<Refusable> {
  return client.startTurn({ assistantKey, message: book.add(...(replies.length > 0 ? replies : [answer])) });
}

async function counts(): Promise<{ modelCalls: number; tokens: number }> {
  const rows = await usageOf(admin, [], daysAround(clock.now()));
  const { modelCalls = 0, inputTokens = 0, outputTokens = 0 } = rows[0] ?? {};
  return { modelCalls, tokens: inputTokens + outputTokens };
}

it('is granted anew with the next day, and the next month, as they begin', async () => {
  await setQuota(admin, { subject: 'EACH_MEMBER', period: 'DAY', maxTokens: 100 });
  await setQuota(admin, { subject: 'COMPANY', period: 'MONTH', maxTokens: 200 });
  const first = await start(admin);
  await seenToEnd(admin, first.turn?.id ?? '');
  expect(await start(admin)).toMatchObject({
    __typename: 'QuotaExceeded',
    message: expect.stringMatching(/^Vous avez épuisé votre quota du jour/),
    resetsAt: '2026-02-01T00:00:00.000Z',
  });

  clock.advance(3 * HOUR_MS);
  for (const day of [1, 2]) {
    const { turn } = await start(admin);
    await seenToEnd(admin, turn?.id ?? '');
    const resetsAt = `2026-0${day === 1 ? '2-02' : '3-01'}T00:00:00.000Z`;
    // What lasts longer is told: on the second day the month is over as well.
    expect(await start(admin)).toMatchObject({ __typename: 'QuotaExceeded', resetsAt });
    clock.advance(24 * HOUR_MS);
  }
  expect(await start(admin)).toMatchObject({
    __typename: 'QuotaExceeded',
    message: expect.stringMatching(/^Votre entreprise a épuisé son quota du mois/),
    resetsAt: '2026-03-01T00:00:00.000Z',
  });
});

it('leaves nothing behind of a question that is refused', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 0 });
  const before = app.provider.requests.length;
  const key = { assistantKey: 'mefali', message: book.add(answer), idempotencyKey: 'again' };
  expect(await admin.startTurn(key)).toMatchObject({ __typename: 'QuotaExceeded' });
  expect(await admin.get('{ conversations { edges { node { id } } } }')).toEqual({
    conversations: { edges: [] },
  });
  expect(app.provider.requests).toHaveLength(before);
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY' });
  const { turn } = await admin.startTurn(key);
  await seenToEnd(admin, turn?.id ?? '');
  expect(await turnOf(admin, turn?.id ?? '')).toMatchObject({ answer: { text: 'Bonjour.' } });
});

it('does not keep a request from being repeated that was taken before', async () => {
  const request = { assistantKey: 'mefali', message: book.add(answer), idempotencyKey: 'once' };
  const { turn } = await admin.startTurn(request);
  await seenToEnd(admin, turn?.id ?? '');
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 100 });
  expect(await start(admin)).toMatchObject({ __typename: 'QuotaExceeded' });
  expect(await admin.startTurn(request)).toMatchObject({
    __typename: 'TurnAccepted',
    turn: { id: turn?.id },
  });
});

it.each([
  { subject: 'MEMBER', maxTokens: 1 },
  { subject: 'COMPANY', memberId: '0', maxTokens: 1 },
  { subject: 'COMPANY', maxTokens: -1 },
  { subject: 'COMPANY', maxTokens: 0.5 },
  { subject: 'COMPANY', maxCostUsd: 1e10 },
])('is refused when it makes no sense: %j', async (quota) => {
  const input = { period: 'DAY', ...quota };
  expect(await admin.codes(SET_QUOTA, { input })).toEqual(['BAD_USER_INPUT']);
  expect(await admin.get('{ quotas { subject } }')).toEqual({ quotas: [] });
});

it('is for no member of another company', async () => {
  const stranger = await identityOf(await app.client({ company: await app.company() }));
  const input = { subject: 'MEMBER', memberId: stranger.id, period: 'DAY', maxTokens: 1 };
  expect(await admin.codes(SET_QUOTA, { input })).toEqual(['NOT_FOUND']);
  expect(await admin.codes(SET_QUOTA, { input: { ...input, memberId: '' } })).toEqual(['NOT_FOUND']);
});

it('is passed by no more than the calls that were under way, of however many questions at once', async () => {
  const TURNS = 20;
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 100 });
  const before = app.provider.requests.length;
  const all = Promise.withResolvers<void>();
  const replies: BookReply[] = [
    () => {
      if (app.provider.requests.length === before + TURNS) all.resolve();
      return [{ type: 'gate', until: all.promise }, toolCall(LOOK), counted];
    },
    answer,
  ];
  const answers = await Promise.all(Array.from({ length: TURNS }, () => start(admin, 'mefali', ...replies)));
  expect(answers.map(({ __typename }) => __typename)).toEqual(Array(TURNS).fill('TurnAccepted'));
  for (const { turn } of answers) {
    await seenToEnd(admin, turn?.id ?? '');
    expect(await turnOf(admin, turn?.id ?? '')).toMatchObject(spent);
  }
  expect(app.provider.requests).toHaveLength(before + TURNS);
  expect(await counts()).toEqual({ modelCalls: TURNS, tokens: TURNS * 100 });
  expect(await start(admin)).toMatchObject({ __typename: 'QuotaExceeded' });
});

it('is spent by a planner as well, which then has nothing written', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 200 });
  const { turn } = await start(admin, 'explorateur', [toolCall(LOOK), counted], (body) =>
    toolsOf(body).length > 0 ? [toolCall('synthesize_answer'), counted] : answer,
  );
  const id = turn?.id ?? '';
  await seenToEnd(admin, id);
  expect(await turnOf(admin, id)).toMatchObject({ ...spent, answer: null });
  expect(await turnUsageOf(admin, id)).toMatchObject({ modelCalls: 2, inputTokens: 180, outputTokens: 20 });
  expect(await counts()).toEqual({ modelCalls: 2, tokens: 200 });
});

it('may be raised while a turn is under way, which then goes on', async () => {
  await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 100 });
  const raised = Promise.withResolvers<unknown>();
  const asked = Promise.withResolvers<void>();
  const { turn } = await start(
    admin,
    'mefali',
    () => {
      asked.resolve();
      return [{ type: 'gate', until: raised.promise }, toolCall(LOOK), counted];
    },
    answer,
  );
  await asked.promise;
  raised.resolve(await setQuota(admin, { subject: 'COMPANY', period: 'DAY', maxTokens: 101 }));
  await seenToEnd(admin, turn?.id ?? '');
  expect(await turnOf(admin, turn?.id ?? '')).toMatchObject({
    status: 'COMPLETED',
    answer: { text: 'Bonjour.' },
  });
});
