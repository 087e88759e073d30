import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { status } from '@palabre/llm-client/scripted-provider.double.js';

import { ScheduleRuns } from '../../src/conversations/schedules/schedule-runs.service.js';
import { untilWaiting } from '../harness/approval-view.js';
import { follow, identityOf, notificationsOf, take } from '../harness/notification-view.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { ShiftedClock } from '../harness/shifted-clock.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const FIELDS = `id message cron at timeZone missedRuns status pausedReason nextAt memberId conversationId
  assistant { key } lastTurn { id status scheduleId conversation { id title } }
  runs(first: 100) { edges { node { dueAt outcome reason turn { id status } } } }`;

interface ScheduleView {
  id: string;
  message: string | null;
  cron: string | null;
  at: string | null;
  timeZone: string;
  missedRuns: string;
  status: string;
  pausedReason: string | null;
  nextAt: string | null;
  memberId: string;
  conversationId: string | null;
  assistant: { key: string };
  lastTurn: {
    id: string;
    status: string;
    scheduleId: string;
    conversation: { id: string; title: string };
  } | null;
  runs: { edges: { node: RunView }[] };
}

interface RunView {
  dueAt: string;
  outcome: string;
  reason: string | null;
  turn: { id: string; status: string } | null;
}

interface RunPage {
  edges: { cursor: string; node: { outcome: string } }[];
  pageInfo: { hasNextPage: boolean };
}

const CREATE = `mutation ($input: CreateScheduleInput!) { schedule: createSchedule(input: $input) { ${FIELDS} } }`;
const UPDATE = `mutation ($input: UpdateScheduleInput!) { schedule: updateSchedule(input: $input) { ${FIELDS} } }`;
const SHOW = `query ($id: ID!) { schedule: node(id: $id) { ... on Schedule { ${FIELDS} } } }`;
const SET_ACTIVE = `mutation ($id: ID!, $active: Boolean!) {
  schedule: setScheduleActive(id: $id, active: $active) { ${FIELDS} } }`;
const RUN =
  'mutation ($id: ID!) { run: runSchedule(id: $id) { ... on TurnAccepted { turn { id scheduleId } } } }';
const DELETE = 'mutation ($id: ID!) { deleteSchedule(id: $id) }';

const hourly = { cron: '0 * * * *' };

const book = new ScriptBook();
/** Of the server, which runs nothing by itself here. */
let runs: ScheduleRuns;
const clock = new ShiftedClock();

let app: TestApp;
let company: string;
let ada: TestClient;

beforeAll(async () => {
  const boot = vi.spyOn(ScheduleRuns.prototype, 'onApplicationBootstrap').mockResolvedValueOnce();
  app = await startApp(
    book.replyTo,
    { MAX_SCHEDULES_PER_MEMBER: '3', SCHEDULE_MAX_FAILURES: '2', TIME_ZONE: 'Africa/Dakar' },
    { clock },
  );
  runs = boot.mock.contexts[0] as ScheduleRuns;
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company, role: 'MEMBER' });
});

async function send(client: TestClient, operation: string, variables: object): Promise<ScheduleView> {
  return (await client.get<{ schedule: ScheduleView }>(operation, variables)).schedule;
}

function create(input: object = {}, client = ada): Promise<ScheduleView> {
  return send(client, CREATE, {
    input: { assistantKey: 'mefali', message: book.add([text('Fait.'), finish()]), when: hourly, ...input },
  });
}

function createOnce(input: object = {}): Promise<ScheduleView> {
  return create({ when: { at: new Date(clock.now().getTime() + MINUTE_MS).toISOString() }, ...input });
}

function show({ id }: { id: string }, client = ada): Promise<ScheduleView> {
  return send(client, SHOW, { id });
}

function runsOf({ runs }: ScheduleView): string[] {
  return runs.edges.map(({ node }) => `${node.outcome} ${node.turn?.status ?? '-'}`);
}

/** Puts the clock to `ms` after the schedule is due, and has what is due run. */
async function atDue(schedule: ScheduleView, ms = 0): Promise<ScheduleView> {
  clock.advance(Date.parse(schedule.nextAt!) + ms - clock.now().getTime());
  await runs.runDue();
  return show(schedule);
}

async function ended(schedule: ScheduleView, client = ada): Promise<ScheduleView> {
  await client.allEvents(schedule.lastTurn!.id);
  return show(schedule);
}

describe('a schedule', () => {
  it('asks its question each time that it is due, in a new conversation, and its end is notified', async () => {
    const told = await follow(ada);
    const made = await create();
    expect(made).toMatchObject({
      status: 'ACTIVE',
      cron: '0 * * * *',
      timeZone: 'Africa/Dakar',
      missedRuns: 'ONCE',
      assistant: { key: 'mefali' },
      lastTurn: null,
      runs: { edges: [] },
    });
    expect(Date.parse(made.nextAt!) - clock.now().getTime()).toBeLessThanOrEqual(HOUR_MS);
    await runs.runDue();
    expect(await show(made)).toEqual(made);

    const first = await ended(await atDue(made));
    expect(runsOf(first)).toEqual(['STARTED COMPLETED']);
    expect(first.runs.edges[0]!.node.dueAt).toBe(made.nextAt);
    expect(first.lastTurn).toMatchObject({ scheduleId: made.id, conversation: { title: made.message } });
    expect(Date.parse(first.nextAt!) - Date.parse(made.nextAt!)).toBe(HOUR_MS);
    const [notified] = await take(told, 1);
    expect(notified).toMatchObject({
      kind: 'TURN_COMPLETED',
      body: 'Fait.',
      turn: { id: first.lastTurn!.id },
    });
    await runs.runDue();
    expect(await show(made)).toEqual(first);

    const second = await ended(await atDue(first));
    expect(runsOf(second)).toEqual(['STARTED COMPLETED', 'STARTED COMPLETED']);
    expect(second.lastTurn!.conversation.id).not.toBe(first.lastTurn!.conversation.id);
    await told.return();
  });

  it('is asked in its company’s turn, however many of another are due', async () => {
    const many = [await create(), await create(), await create()];
    const other = await app.client({ company: await app.company(), role: 'MEMBER' });
    const one = await create({}, other);
    await atDue(many[0]!);
    const theirs = await Promise.all(many.map((schedule) => show(schedule)));
    const { lastTurn } = await show(one, other);
    const [, second = ''] = theirs.map((schedule) => schedule.lastTurn!.id).toSorted();
    expect(lastTurn!.id < second).toBe(true);
  });

  it('asks once at a time, and has ended then; another time has it begin anew', async () => {
    const made = await createOnce();
    expect(made).toMatchObject({ nextAt: made.at, cron: null });
    const after = await ended(await atDue(made));
    expect(after).toMatchObject({ status: 'ENDED', nextAt: null, at: made.at });
    expect(await ada.codes(SET_ACTIVE, { id: made.id, active: true })).toEqual(['CONFLICT']);
    const when = { at: new Date(clock.now().getTime() + HOUR_MS).toISOString() };
    const again = await send(ada, UPDATE, { input: { id: made.id, when } });
    expect(again).toMatchObject({ status: 'ACTIVE', nextAt: when.at });
    expect(runsOf(await ended(await atDue(again)))).toEqual(['STARTED COMPLETED', 'STARTED COMPLETED']);
  });

  it('asks in one conversation where it is given one, and pauses when that is gone', async () => {
    const { turnId, conversationId } = await ada.ask(book.add([text('Bonjour.'), finish()]));
    await ada.allEvents(turnId);
    const made = await create({ assistantKey: null, conversationId });
    const first = await ended(await atDue(made));
    expect(first.lastTurn!.conversation.id).toBe(conversationId);
    const second = await ended(await atDue(first));
    expect(second.lastTurn!.conversation.id).toBe(conversationId);

    await ada.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
    const gone = await atDue(second);
    expect(gone).toMatchObject({ status: 'PAUSED', pausedReason: 'REFUSED', nextAt: null, lastTurn: null });
    expect(gone.runs.edges[0]!.node).toMatchObject({
      outcome: 'REFUSED',
      reason: 'There is no such conversation.',
    });
    const { edges } = await notificationsOf(ada);
    expect(edges[0]!.node).toMatchObject({ kind: 'SCHEDULE_PAUSED', turn: null });
  });

  it('asks after what is being answered in its conversation', async () => {
    const goOn = barrier();
    const asked = await ada.ask(book.add([text('Un instant'), goOn.step, text('.'), finish()]));
    const made = await createOnce({ assistantKey: null, conversationId: asked.conversationId });
    const waiting = await atDue(made);
    expect(runsOf(waiting)).toEqual(['STARTED QUEUED']);
    goOn.open();
    expect(runsOf(await ended(waiting))).toEqual(['STARTED COMPLETED']);
  });

  it('asks once all the same while it is being answered before its time', async () => {
    const goOn = barrier();
    const message = book.add([text('Un instant'), goOn.step, text('.'), finish()]);
    const made = await createOnce({ message });
    await ada.get(RUN, { id: made.id });
    const due = await atDue(made);
    expect(due.runs.edges.map(({ node }) => node.outcome)).toEqual(['STARTED', 'STARTED']);
    goOn.open();
    await ended(due);
  });

  it('tells its member when its one question will not be asked any more', async () => {
    const made = await createOnce({ missedRuns: 'SKIP' });
    const left = await atDue(made, 20 * MINUTE_MS);
    expect(left).toMatchObject({ status: 'ENDED', nextAt: null });
    expect(runsOf(left)).toEqual(['MISSED -']);
    const { edges } = await notificationsOf(ada);
    expect(edges.map(({ node }) => node.kind)).toEqual(['TURN_FAILED']);
  });

  it('is run now as often as its member likes, also while it is paused', async () => {
    const made = await create();
    await send(ada, SET_ACTIVE, { id: made.id, active: false });
    const { run } = await ada.get<{ run: { turn: { id: string; scheduleId: string } } }>(RUN, {
      id: made.id,
    });
    expect(run.turn.scheduleId).toBe(made.id);
    const after = await ended(await show(made));
    expect(after).toMatchObject({ status: 'PAUSED', lastTurn: { id: run.turn.id } });
    expect(runsOf(after)).toEqual(['STARTED COMPLETED']);
  });

  it('leaves a time out while the turn before it is under way', async () => {
    const goOn = barrier();
    const message = book.add([text('Un instant'), goOn.step, text('.'), finish()]);
    const first = await atDue(await create({ message }));
    const second = await atDue(first);
    expect(runsOf(second)).toEqual(['BUSY -', expect.stringMatching(/^STARTED (QUEUED|RUNNING)$/)]);
    expect(second.lastTurn).toMatchObject({ id: first.lastTurn!.id });
    goOn.open();
    const third = await atDue(await ended(second));
    expect(runsOf(third)[0]).toMatch(/^STARTED/);
    await ended(third);
  });

  it('waits for an approval as any turn, which is notified', async () => {
    const admin = await app.client({ company, sub: 'boss' });
    await admin.get(`mutation { setSkillApproval(
      key: "update_company_profile", required: true, askerMayApprove: true) { id } }`);
    const message = book.add(
      [toolCall('update_company_profile', { city: 'Thiès' }), finish()],
      [text('Fait.'), finish()],
    );
    const due = await atDue(await create({ message }));
    const [approval] = await untilWaiting(ada, due.lastTurn!.id);
    expect((await notificationsOf(ada)).edges[0]!.node.kind).toBe('APPROVAL_REQUESTED');
    const left = await atDue(due);
    expect(runsOf(left)[0]).toBe('BUSY -');
    await ada.get('mutation ($input: ResolveApprovalInput!) { resolveApproval(input: $input) { id } }', {
      input: { approvalId: approval!.id, approve: false },
    });
    expect(runsOf(await ended(left))[1]).toBe('STARTED COMPLETED');
  });
});

describe('missed runs', () => {
  it('are made up for once, for the newest', async () => {
    const made = await create();
    const late = await ended(await atDue(made, 5 * HOUR_MS + 20 * MINUTE_MS));
    expect(runsOf(late)).toEqual(['STARTED COMPLETED', 'MISSED -']);
    const [ran, missed] = late.runs.edges;
    expect(missed!.node.dueAt).toBe(made.nextAt);
    expect(Date.parse(ran!.node.dueAt) - Date.parse(made.nextAt!)).toBe(5 * HOUR_MS);
  });

  it('are listed in pages, newest first', async () => {
    const made = await create();
    const late = await ended(await atDue(made, 5 * HOUR_MS));
    const page = `query ($id: ID!, $after: String) { node(id: $id) { ... on Schedule {
      runs(first: 1, after: $after) { edges { cursor node { outcome } } pageInfo { hasNextPage } } } } }`;
    const read = async (after: string | null): Promise<RunPage> =>
      (await ada.get<{ node: { runs: RunPage } }>(page, { id: late.id, after })).node.runs;
    const first = await read(null);
    expect(first).toMatchObject({
      edges: [{ node: { outcome: 'STARTED' } }],
      pageInfo: { hasNextPage: true },
    });
    expect(await read(first.edges[0]!.cursor)).toMatchObject({
      edges: [{ node: { outcome: 'MISSED' } }],
      pageInfo: { hasNextPage: false },
    });
  });

  it('are left out where that is asked for', async () => {
    const made = await create({ missedRuns: 'SKIP' });
    const late = await atDue(made, 20 * MINUTE_MS);
    expect(runsOf(late)).toEqual(['MISSED -']);
    expect(Date.parse(late.nextAt!) - Date.parse(made.nextAt!)).toBe(HOUR_MS);
  });
});

describe('a schedule pauses by itself', () => {
  it('after so many failures in a row, and counts anew when it is resumed', async () => {
    const message = book.add([status(400, 'No.')]);
    const first = await ended(await atDue(await create({ message })));
    const second = await ended(await atDue(first));
    expect(runsOf(second)).toEqual(['STARTED FAILED', 'STARTED FAILED']);
    const paused = await atDue(second);
    expect(paused).toMatchObject({ status: 'PAUSED', pausedReason: 'FAILURES', nextAt: null });
    const kinds = (await notificationsOf(ada)).edges.map(({ node }) => node.kind);
    expect(kinds).toEqual(['SCHEDULE_PAUSED', 'TURN_FAILED', 'TURN_FAILED']);
    clock.advance(1_000);
    const resumed = await send(ada, SET_ACTIVE, { id: paused.id, active: true });
    expect(resumed).toMatchObject({ status: 'ACTIVE', pausedReason: null });
    expect(runsOf(await ended(await atDue(resumed)))[0]).toBe('STARTED FAILED');
  });

  it('when its member may not sign in any more', async () => {
    const made = await create();
    const admin = await app.client({ company, sub: 'boss' });
    await admin.get('mutation ($id: ID!) { deactivateMember(id: $id) { id } }', { id: made.memberId });
    clock.advance(Date.parse(made.nextAt!) - clock.now().getTime());
    await runs.runDue();
    expect(await show(made, admin)).toMatchObject({ status: 'PAUSED', pausedReason: 'MEMBER_INACTIVE' });
    expect((await show(made, admin)).runs.edges).toEqual([]);
  });

  it('when its assistant is archived', async () => {
    const made = await create();
    const admin = await app.client({ company, sub: 'boss' });
    await admin.get('mutation { archiveAssistant(key: "mefali", archived: true) { id } }');
    expect(await atDue(made)).toMatchObject({ status: 'PAUSED', pausedReason: 'REFUSED' });
  });
});

it('is refused while a quota is used up, which is notified once', async () => {
  const made = await create();
  const admin = await app.client({ company, sub: 'boss' });
  await admin.get(
    'mutation { setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 0 }) { subject } }',
  );
  const second = await atDue(await atDue(made));
  expect(runsOf(second)).toEqual(['REFUSED -', 'REFUSED -']);
  expect(second.status).toBe('ACTIVE');
  const { edges } = await notificationsOf(ada);
  expect(edges.map(({ node }) => node.kind)).toEqual(['TURN_FAILED']);
});

describe('what is given is checked', () => {
  const base = { assistantKey: 'mefali', message: 'Bonjour', when: hourly };

  it.each([
    ['a cron expression that is none', { when: { cron: 'tomorrow' } }, 'input.when.cron'],
    ['runs too close to each other', { when: { cron: '*/5 * * * *' } }, 'input.when.cron'],
    ['a time that is over', { when: { at: '2020-01-01T00:00:00Z' } }, 'input.when.at'],
    ['a time zone that is none', { timeZone: 'Dakar' }, 'input.timeZone'],
    ['no question', { message: ' ' }, 'input.message'],
    ['a long question', { message: 'a'.repeat(10_001) }, 'input.message'],
    ['nobody to answer', { assistantKey: null }, 'input.assistantKey'],
    ['an assistant that there is not', { assistantKey: 'nobody' }, 'input.assistantKey'],
  ])('%s', async (_, change, argument) => {
    const { errors } = await ada.send(CREATE, { input: { ...base, ...change } });
    expect(errors?.[0]?.extensions).toMatchObject({ argument });
  });

  it('one of cron and at', async () => {
    for (const when of [{}, { ...hourly, at: '2099-01-01T00:00:00Z' }]) {
      expect(await ada.codes(CREATE, { input: { ...base, when } })).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('how many there are, also when one that has ended begins anew', async () => {
    const over = await ended(await atDue(await createOnce()));
    const [first] = [await create(), await create(), await create()];
    expect(await ada.codes(CREATE, { input: base })).toEqual(['CONFLICT']);
    const anew = { input: { id: over.id, when: hourly } };
    expect(await ada.codes(UPDATE, anew)).toEqual(['CONFLICT']);
    await ada.get(DELETE, { id: first.id });
    expect(await send(ada, UPDATE, anew)).toMatchObject({ status: 'ACTIVE' });
  });
});

it('is listed to its member with all, and to admins without what is asked', async () => {
  const mine = await create();
  const boss = await app.client({ company, sub: 'boss' });
  const theirs = await create({}, boss);
  const list = async (client: TestClient, ofCompany: boolean): Promise<(string | null)[][]> => {
    const { schedules } = await client.get<{ schedules: { edges: { node: ScheduleView }[] } }>(
      'query ($of: Boolean) { schedules(ofCompany: $of) { edges { node { id message } } } }',
      { of: ofCompany },
    );
    return schedules.edges.map(({ node: { id, message } }) => [id, message]);
  };
  expect(await list(ada, false)).toEqual([[mine.id, mine.message]]);
  expect(await list(boss, true)).toEqual([
    [theirs.id, theirs.message],
    [mine.id, null],
  ]);
  expect(await ada.codes('{ schedules(ofCompany: true) { edges { cursor } } }')).toEqual(['FORBIDDEN']);
  expect(await send(boss, SET_ACTIVE, { id: mine.id, active: false })).toMatchObject({
    pausedReason: 'BY_ADMIN',
  });
  const { auditEntries } = await boss.get<{ auditEntries: { edges: { node: { action: string } }[] } }>(
    '{ auditEntries(first: 3) { edges { node { action details } } } }',
  );
  expect(auditEntries.edges.map(({ node }) => node.action)).toEqual([
    'schedule.paused',
    'schedule.created',
    'schedule.created',
  ]);
  expect(JSON.stringify(auditEntries)).not.toContain(mine.message);
});

it('keeps its runs when its turns are deleted, and goes with its member', async () => {
  const made = await ended(await atDue(await create()));
  await ada.get('mutation ($id: ID!) { deleteConversation(id: $id) }', {
    id: made.lastTurn!.conversation.id,
  });
  expect(runsOf(await show(made))).toEqual(['STARTED -']);
  const { companyId } = await identityOf(ada);
  await ada.get('mutation { eraseMyData }');
  await vi.waitFor(async () => {
    const rows = await app.database.read(companyId, (tx) => tx.query('SELECT FROM schedule'));
    expect(rows).toEqual([]);
  }, 20_000);
});
