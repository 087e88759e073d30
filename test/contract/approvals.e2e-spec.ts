import { calls } from '@palabre/llm-client/fixtures/provider-quirk.double.js';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderStep, raw } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { unansweredText } from '../../src/agent/unanswered.js';
import {
  allowed,
  type ApprovalView,
  approvalsOf,
  pendingOf,
  RESOLVE,
  resolve,
  untilWaiting,
} from '../harness/approval-view.js';
import { seenToEnd } from '../harness/laws.js';
import { notificationsOf } from '../harness/notification-view.js';
import { readRequest, spokenIn } from '../harness/provider-request.js';
import { ScriptBook } from '../harness/script-book.js';
import { REGISTER_HTTP, SET_ACCESS, setActive } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { cancelTurn, messagesOf, turnOf } from '../harness/turn-view.js';

const SET_APPROVAL = `mutation ($key: String!, $required: Boolean!, $askerMayApprove: Boolean) {
  setSkillApproval(key: $key, required: $required, askerMayApprove: $askerMayApprove) { key requiresApproval } }`;
const UPDATE = 'update_company_profile';
const LOOK = 'get_company_profile';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startApp(book.replyTo, {}, { isLasting: true });
  client = await app.client();
  await client.get(SET_APPROVAL, { key: UPDATE, required: true });
});
afterAll(() => app[Symbol.asyncDispose]());

async function companyOf(viewer: TestClient): Promise<{ city: string | null; headcount: number | null }> {
  return (
    await viewer.get<{ company: { city: string | null; headcount: number | null } }>(
      '{ company { city headcount } }',
    )
  ).company;
}

function update(input: JsonObject, id?: string): ProviderStep {
  return toolCall(UPDATE, input, id);
}
const done = [text('C’est fait.'), finish()];

/** Asks what has the model call skills that people are to allow, and waits until they are asked. */
async function askUntilWaiting(
  steps: readonly ProviderStep[],
  asker: TestClient = client,
): Promise<{
  turnId: string;
  conversationId: string;
  ended: Promise<WireEvent[]>;
  asked: ApprovalView[];
}> {
  const asking = await asker.ask(book.add([...steps, finish()], done));
  const ended = seenToEnd(asker, asking.turnId);
  return { ...asking, ended, asked: await untilWaiting(asker, asking.turnId) };
}

function onlyOne(asked: readonly ApprovalView[]): ApprovalView {
  const [approval, ...others] = asked;
  if (!approval || others.length > 0) throw new Error(`Not one question: ${JSON.stringify(asked)}`);
  return approval;
}

/** The requests to allow something in a turn that the client has not read. */
async function unreadRequestsFor(turnId: string): Promise<unknown[]> {
  return (await notificationsOf(client, { unreadOnly: true })).edges.filter(
    ({ node }) => node.kind === 'APPROVAL_REQUESTED' && node.turn?.id === turnId,
  );
}

/** What the audit says of answers, in their order. */
async function auditOf(asked: readonly { id: string }[]): Promise<JsonObject[]> {
  const rows = await app.database.dataSource.query<{ details: JsonObject }[]>(
    `SELECT details FROM audit_entry WHERE action LIKE 'approval.%' AND details ->> 'approvalId' = ANY ($1) ORDER BY id`,
    [asked.map(({ id }) => id)],
  );
  return rows.map(({ details }) => details);
}

function types(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename, status }) => (status ? `${__typename} ${String(status)}` : __typename));
}
function skillEnds(events: readonly WireEvent[]): unknown[] {
  return events
    .filter(({ __typename }) => __typename === 'SkillFinished')
    .map(({ callStatus }) => callStatus);
}

/** The results that the model was told last, in their order. */
function toldTheModel(): string[] {
  return readRequest(app.provider.requests.at(-1))
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
}

it('waits for a person, over a restart, and goes on with what was allowed', async () => {
  const asking = await client.ask(book.add([text('Je le note.'), update({ city: 'Thiès' }), finish()], done));
  const approval = onlyOne(await untilWaiting(client, asking.turnId));
  expect(approval).toMatchObject({
    skill: UPDATE,
    arguments: { city: 'Thiès' },
    reason: 'Je le note.',
    status: 'PENDING',
  });
  const hours = (Date.parse(approval.expiresAt) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  expect((await turnOf(client, asking.turnId)).status).toBe('WAITING_FOR_APPROVAL');
  expect(await approvalsOf(client, asking.turnId)).toEqual([approval]);
  expect(await pendingOf(client)).toEqual([approval]);
  const told = (await notificationsOf(client)).edges.map(({ node }) => node);
  expect(told).toMatchObject([
    { body: expect.stringContaining('Mise à jour du profil de l’entreprise'), turn: { id: asking.turnId } },
  ]);
  const requests = app.provider.requests.length;

  await app.restart();
  client = await app.client();
  expect(await pendingOf(client)).toEqual([approval]);
  expect((await companyOf(client)).city).toBeNull();
  expect(await resolve(client, { approvalId: approval.id, approve: true })).toEqual({
    ...approval,
    status: 'APPROVED',
  });
  const events = await seenToEnd(client, asking.turnId);
  expect(types(events)).toEqual([
    'StatusChanged QUEUED',
    'StatusChanged RUNNING',
    'TextDelta',
    'TextReset',
    'ApprovalRequested',
    'StatusChanged WAITING_FOR_APPROVAL',
    'InputResolved',
    'StatusChanged QUEUED',
    'StatusChanged RUNNING',
    'SkillStarted',
    'SkillFinished',
    'TextDelta',
    'TurnDone COMPLETED',
  ]);
  expect((await companyOf(client)).city).toBe('Thiès');
  expect(await turnOf(client, asking.turnId)).toMatchObject({
    answer: { text: 'C’est fait.' },
    skillCalls: [{ skill: UPDATE, status: 'SUCCEEDED' }],
    // What was used before the wait counts.
    usage: { modelCalls: 2, skillCalls: 1, inputTokens: 20 },
  });
  expect(app.provider.requests).toHaveLength(requests + 1);
  expect(await pendingOf(client)).toEqual([]);
});

describe('edited arguments', () => {
  it('are checked against the skill’s schema, and are what the model sees as its own', async () => {
    const { turnId, ended, asked } = await askUntilWaiting([update({ headcount: 12 }, 'call_edited')]);
    const { id: approvalId } = onlyOne(asked);
    const deep = JSON.parse('{"a":'.repeat(80) + '1' + '}'.repeat(80)) as JsonValue;
    for (const wrong of [{ headcount: 'a lot' }, {}, { password: 'x' }, { headcount: deep }]) {
      const { errors } = await client.send(RESOLVE, {
        input: { approvalId, approve: true, arguments: wrong },
      });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: 'input.arguments' } }]);
    }
    expect((await turnOf(client, turnId)).status).toBe('WAITING_FOR_APPROVAL');
    const edited = await resolve(client, { approvalId, approve: true, arguments: { headcount: 21 } });
    expect(edited).toMatchObject({ status: 'APPROVED', arguments: { headcount: 21 } });
    const events = await ended;
    expect(events.find(({ __typename }) => __typename === 'SkillStarted')).toMatchObject({
      arguments: { headcount: 21 },
    });
    expect((await companyOf(client)).headcount).toBe(21);
    const request = JSON.stringify(app.provider.requests.at(-1)?.messages);
    expect(request).toContain(JSON.stringify('{"headcount":21}'));
    expect(request).not.toContain(JSON.stringify('{"headcount":12}'));
  });

  it('are told of in the audit by their names, and what was left as it was is not', async () => {
    const asked = { headcount: 12, city: 'Rufisque', sector: 'Textile' };
    const edited = { headcount: 12, city: 'Pikine', name: 'Savonnerie' };
    const first = await askUntilWaiting([update(asked)]);
    await resolve(client, { approvalId: onlyOne(first.asked).id, approve: true, arguments: edited });
    const second = await askUntilWaiting([update(asked)]);
    await resolve(client, { approvalId: onlyOne(second.asked).id, approve: true, arguments: asked });
    await Promise.all([first.ended, second.ended]);
    const entries = await auditOf([...first.asked, ...second.asked]);
    expect(entries.map(({ edited }) => edited)).toEqual([['city', 'name', 'sector'], undefined]);
    expect(JSON.stringify(entries)).not.toMatch(/Rufisque|Pikine/);
  });
});

describe('a denial', () => {
  it('is told to the model with its comment, and nothing is carried out', async () => {
    const { turnId, ended, asked } = await askUntilWaiting([update({ city: 'Nulle-Part' })]);
    const { id: approvalId } = onlyOne(asked);
    const answer = { approvalId, approve: false, comment: 'Demande d’abord à Awa.' };
    expect((await resolve(client, answer)).status).toBe('DENIED');
    expect(skillEnds(await ended)).toEqual(['DENIED']);
    expect(toldTheModel()).toEqual([expect.stringContaining('Demande d’abord à Awa.')]);
    expect((await companyOf(client)).city).not.toBe('Nulle-Part');
    expect((await turnOf(client, turnId)).status).toBe('COMPLETED');
  });

  it('is what no answer in time comes to', async () => {
    const { turnId, ended, asked } = await askUntilWaiting([update({ city: 'Nulle-Part' })]);
    const { id } = onlyOne(asked);
    await app.database.dataSource.query(`UPDATE pending_input SET expires_at = now() WHERE id = $1`, [id]);
    await app.database.dataSource.query(
      `UPDATE pgboss.job SET start_after = now() WHERE name = 'expire-approvals' AND data ->> 'turnId' = $1`,
      [turnId],
    );
    const events = await ended;
    expect(skillEnds(events)).toEqual(['DENIED']);
    expect(events).toContainEqual(expect.objectContaining({ status: 'QUEUED', detail: 'EXPIRED' }));
    expect(await approvalsOf(client, turnId)).toMatchObject([{ id, status: 'EXPIRED' }]);
    expect((await companyOf(client)).city).not.toBe('Nulle-Part');
  });

  it('is what an answer after that time comes to', async () => {
    const { turnId, ended, asked } = await askUntilWaiting([update({ city: 'Nulle-Part' })]);
    const { id: approvalId } = onlyOne(asked);
    await app.database.dataSource.query(`UPDATE pending_input SET expires_at = now() WHERE id = $1`, [
      approvalId,
    ]);
    const input = { approvalId, approve: true };
    const { errors } = await client.send(RESOLVE, { input });
    expect(errors).toMatchObject([
      {
        message: 'The time for an answer is over: it counts as denied.',
        extensions: { code: 'CONFLICT', status: 'EXPIRED' },
      },
    ]);
    expect(skillEnds(await ended)).toEqual(['DENIED']);
    expect((await companyOf(client)).city).not.toBe('Nulle-Part');
    expect(await unreadRequestsFor(turnId)).toEqual([]);
  });
});

it('gives the model its signatures back after a restart, and keeps none once the turn has ended', async () => {
  const signed = (skill: string, signature: string, input: JsonObject): JsonObject => ({
    id: signature,
    type: 'function',
    function: { name: skill, arguments: JSON.stringify(input) },
    extra_content: { google: { thought_signature: `of ${signature}` } },
  });
  const looked = signed(LOOK, 'look', {});
  const changed = signed(UPDATE, 'change', { city: 'Kaolack' });
  const calling = (call: JsonObject): ProviderStep[] => [raw(calls(call)), finish('tool-calls')];
  const echoes = (turnId: string): Promise<unknown[]> =>
    app.database.dataSource.query('SELECT step FROM step_echo WHERE turn_id = $1 ORDER BY step', [turnId]);
  const { turnId } = await client.ask(book.add(calling(looked), calling(changed), done));
  const approval = onlyOne(await untilWaiting(client, turnId));
  expect(await echoes(turnId)).toEqual([{ step: 0 }, { step: 1 }]);

  await app.restart();
  client = await app.client();
  await resolve(client, { approvalId: approval.id, approve: true });
  await seenToEnd(client, turnId);
  const messages = (app.provider.requests.at(-1)?.['messages'] ?? []) as JsonObject[];
  const made = messages.flatMap((message) => (message['tool_calls'] as JsonObject[] | undefined) ?? []);
  expect(made).toEqual([looked, changed]);
  expect(await echoes(turnId)).toEqual([]);
});

it('ends at once when it is cancelled while it waits, and needs no answer any more', async () => {
  const { turnId, conversationId, ended, asked } = await askUntilWaiting([update({ city: 'Nulle-Part' })]);
  const { id: approvalId } = onlyOne(asked);
  const requests = app.provider.requests.length;
  expect(await unreadRequestsFor(turnId)).toHaveLength(1);
  expect(await cancelTurn(client, turnId)).toMatchObject({ status: 'CANCELLED', finishReason: 'CANCELLED' });
  expect(await unreadRequestsFor(turnId)).toEqual([]);
  expect(types(await ended).at(-1)).toBe('TurnDone CANCELLED');
  expect(await pendingOf(client)).toEqual([]);
  for (const approve of [true, false]) {
    const { errors } = await client.send(RESOLVE, { input: { approvalId, approve } });
    expect(errors).toMatchObject([
      {
        message: 'The turn has ended: no answer is needed any more.',
        extensions: { code: 'CONFLICT', status: 'EXPIRED' },
      },
    ]);
  }
  const next = await client.ask(book.add(done), { conversationId });
  await seenToEnd(client, next.turnId);
  expect(spokenIn(app.provider.requests.at(-1))).toEqual([
    expect.stringMatching(/^user: /),
    `assistant: ${unansweredText('CANCELLED', 'fr')}`,
    expect.stringMatching(/^user: /),
  ]);
  expect(app.provider.requests).toHaveLength(requests + 1);
  expect((await companyOf(client)).city).not.toBe('Nulle-Part');
});

describe('who may answer', () => {
  const bea = { sub: 'bea', role: 'MEMBER' as const };

  it('is an admin of the company, not the asker, unless the skill is set so', async () => {
    const member = await app.client(bea);
    const { turnId, ended, asked } = await askUntilWaiting([update({ city: 'Nulle-Part' })], member);
    const { id: approvalId } = onlyOne(asked);
    const input = { approvalId, approve: false };
    const another = await app.client({ sub: 'cleo', role: 'MEMBER' });
    const elsewhere = await app.client({ company: await app.company() });
    expect(await pendingOf(member)).toEqual(asked);
    expect(await pendingOf(another)).toEqual([]);
    expect(await pendingOf(elsewhere)).toEqual([]);
    expect(await member.codes(RESOLVE, { input })).toEqual(['FORBIDDEN']);
    for (const stranger of [another, elsewhere]) {
      expect(await stranger.codes(RESOLVE, { input })).toEqual(['NOT_FOUND']);
    }
    expect(await client.codes(RESOLVE, { input: { ...input, approvalId: 'nothing' } })).toEqual([
      'NOT_FOUND',
    ]);
    expect((await notificationsOf(member)).edges).toEqual([]);
    const [request] = (await notificationsOf(client)).edges.map(({ node }) => node);
    expect(request).toMatchObject({
      kind: 'APPROVAL_REQUESTED',
      body: expect.stringContaining('pour bea'),
      readAt: null,
      turn: null,
    });
    expect((await resolve(client, input)).status).toBe('DENIED');
    await ended;
    const [settled] = (await notificationsOf(client)).edges.map(({ node }) => node);
    expect(settled).toEqual({ ...request, readAt: expect.any(String) });
    // Whoever asked may have left long ago.
    const told = (await notificationsOf(member)).edges.map(({ node }) => node);
    expect(told).toMatchObject([{ kind: 'TURN_COMPLETED', turn: { id: turnId } }]);
  });

  it('is the asker as well where the skill is set so', async () => {
    await client.get(SET_APPROVAL, { key: LOOK, required: true, askerMayApprove: true });
    const member = await app.client(bea);
    const { turnId, ended, asked } = await askUntilWaiting([toolCall(LOOK)], member);
    const [newest] = (await notificationsOf(member)).edges.map(({ node }) => node);
    expect(newest).toMatchObject({ kind: 'APPROVAL_REQUESTED', turn: { id: turnId } });
    await resolve(member, { approvalId: onlyOne(asked).id, approve: true });
    expect(skillEnds(await ended)).toEqual(['SUCCEEDED']);
    await client.get(SET_APPROVAL, { key: LOOK, required: false });
  });
});

describe('a switch that is turned while a question waits', () => {
  const bea = { sub: 'bea', role: 'MEMBER' as const };
  const askOf = (key: string, askerMayApprove: boolean, required = true) =>
    client.get(SET_APPROVAL, { key, required, askerMayApprove });
  afterEach(() => askOf(LOOK, false, false));

  it('takes from the asker at once what it gave, and gives it back', async () => {
    await askOf(LOOK, true);
    const member = await app.client(bea);
    const { turnId, ended, asked } = await askUntilWaiting([toolCall(LOOK)], member);
    const { id: approvalId } = onlyOne(asked);
    await askOf(LOOK, false);
    for (const approve of [true, false]) {
      expect(await member.codes(RESOLVE, { input: { approvalId, approve } })).toEqual(['FORBIDDEN']);
    }
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_APPROVAL');
    await askOf(LOOK, true);
    const allowed = await resolve(member, { approvalId, approve: true });
    expect(skillEnds(await ended)).toEqual(['SUCCEEDED']);
    await askOf(LOOK, false);
    expect(await resolve(member, { approvalId, approve: true })).toEqual(allowed);
  });

  it('has the asker answer where nobody is to be asked any more', async () => {
    await askOf(LOOK, false);
    const member = await app.client(bea);
    const { ended, asked } = await askUntilWaiting([toolCall(LOOK)], member);
    await askOf(LOOK, false, false);
    await resolve(member, { approvalId: onlyOne(asked).id, approve: true });
    expect(skillEnds(await ended)).toEqual(['SUCCEEDED']);
  });

  const kept = { leastRole: 'ADMIN', assistants: null };
  it.each([
    ['off', () => setActive(client, LOOK, false), () => setActive(client, LOOK, true), 'switched off'],
    [
      'for admins alone',
      () => client.get(SET_ACCESS, { key: LOOK, ...kept }),
      () => client.get(SET_ACCESS, { key: LOOK, ...kept, leastRole: 'MEMBER' }),
      'no longer for this question',
    ],
    [
      'for another assistant',
      () => client.get(SET_ACCESS, { key: LOOK, leastRole: 'MEMBER', assistants: ['therese'] }),
      () => client.get(SET_ACCESS, { key: LOOK, leastRole: 'MEMBER', assistants: null }),
      'this assistant',
    ],
  ])('has the call denied, or turned back, once the skill is %s', async (_, turn, turnBack, why) => {
    await askOf(LOOK, false);
    const member = await app.client(bea);
    const [denied, allowed] = [
      await askUntilWaiting([toolCall(LOOK)], member),
      await askUntilWaiting([toolCall(LOOK)], member),
    ];
    await turn();
    for (const { turnId, asked } of [denied, allowed]) {
      const approvalId = onlyOne(asked).id;
      const { errors } = await client.send(RESOLVE, { input: { approvalId, approve: true } });
      expect(errors).toMatchObject([
        { message: expect.stringContaining(why), extensions: { code: 'CONFLICT', status: 'PENDING' } },
      ]);
      expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_APPROVAL');
    }
    const no = await resolve(client, { approvalId: onlyOne(denied.asked).id, approve: false });
    expect(no.status).toBe('DENIED');
    expect(skillEnds(await denied.ended)).toEqual(['DENIED']);
    await turnBack();
    const yes = await resolve(client, { approvalId: onlyOne(allowed.asked).id, approve: true });
    expect(skillEnds(await allowed.ended)).toEqual(['SUCCEEDED']);
    // What was allowed stays allowed, whatever became of the skill.
    await turn();
    expect(await resolve(client, { approvalId: yes.id, approve: true })).toEqual(yes);
    await turnBack();
  });

  it('is refused of a skill that is not there any more, and so is nothing else', async () => {
    const key = 'get_item';
    const skill = {
      key,
      name: 'Item',
      description: 'Gets an item.',
      method: 'GET',
      url: 'https://stock.invalid/items',
      parameters: { type: 'object', properties: {} },
    };
    await client.get(REGISTER_HTTP, { input: skill });
    await askOf(key, true);
    const member = await app.client(bea);
    const { ended, asked } = await askUntilWaiting([toolCall(key)], member);
    const { id: approvalId } = onlyOne(asked);
    await client.get('mutation ($key: String!) { removeHttpSkill(key: $key) }', { key });
    expect(await member.codes(RESOLVE, { input: { approvalId, approve: true } })).toEqual(['CONFLICT']);
    expect(await resolve(member, { approvalId, approve: false })).toMatchObject({ status: 'DENIED' });
    expect(skillEnds(await ended)).toEqual(['DENIED']);
  });
});

describe('answers that come together', () => {
  it('do no harm when they say the same, and are refused when they do not', async () => {
    const { ended, asked } = await askUntilWaiting([update({ city: 'Mbour' })]);
    const { id: approvalId } = onlyOne(asked);
    const first = await resolve(client, { approvalId, approve: true });
    expect(await resolve(client, { approvalId, approve: true })).toEqual(first);
    expect(await client.codes(RESOLVE, { input: { approvalId, approve: false } })).toEqual(['CONFLICT']);
    expect(skillEnds(await ended)).toEqual(['SUCCEEDED']);
    expect(await resolve(client, { approvalId, approve: true })).toEqual(first);
  });

  it('say the same when their arguments are the same values, and are refused when they are not', async () => {
    const { ended, asked } = await askUntilWaiting([update({ city: 'Mbour' })]);
    const { id: approvalId } = onlyOne(asked);
    const approve = (written: JsonObject) => ({ approvalId, approve: true, arguments: written });
    const first = await resolve(client, approve({ city: 'Touba', headcount: 21 }));
    expect(await resolve(client, approve({ headcount: 21, city: 'Touba' }))).toEqual(first);
    expect(await resolve(client, { approvalId, approve: true })).toEqual(first);
    const { errors } = await client.send(RESOLVE, { input: approve({ city: 'Mbour' }) });
    expect(errors).toMatchObject([
      {
        message: 'This was approved already, with other arguments.',
        extensions: { code: 'CONFLICT', status: 'APPROVED' },
      },
    ]);
    // Written into the document, they are the same values as in its variables.
    expect(
      await client.get(
        `mutation { resolveApproval(input: { approvalId: "${approvalId}", approve: true,
           arguments: { city: "Touba", headcount: 21 } }) { status } }`,
      ),
    ).toEqual({ resolveApproval: { status: 'APPROVED' } });
    expect(skillEnds(await ended)).toEqual(['SUCCEEDED']);
    expect((await companyOf(client)).city).toBe('Touba');
  });

  it('are one answer, whoever is first', async () => {
    const { turnId, ended, asked } = await askUntilWaiting([update({ city: 'Saint-Louis' })]);
    const { id: approvalId } = onlyOne(asked);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.send<{ resolveApproval: ApprovalView }>(RESOLVE, {
          input: { approvalId, approve: index % 2 === 0 },
        }),
      ),
    );
    const [approval] = await approvalsOf(client, turnId);
    const statuses = answers.map(
      ({ data, errors }) => data?.resolveApproval.status ?? errors?.[0]?.extensions.code,
    );
    const isAllowed = approval?.status === 'APPROVED';
    expect(statuses).toEqual(
      statuses.map((_, index) => ((index % 2 === 0) === isAllowed ? approval?.status : 'CONFLICT')),
    );
    expect(skillEnds(await ended)).toEqual([isAllowed ? 'SUCCEEDED' : 'DENIED']);
    expect(await auditOf([{ id: approvalId }])).toHaveLength(1);
  });
});

it('asks for each of a step’s skills, carries out the others meanwhile, and goes on once all are answered', async () => {
  const { turnId, ended, asked } = await askUntilWaiting([
    update({ city: 'Kaolack' }, 'call_1'),
    toolCall(LOOK, {}, 'call_2'),
    update({ headcount: 99 }, 'call_3'),
  ]);
  expect(asked.map((approval) => approval.arguments)).toEqual([{ city: 'Kaolack' }, { headcount: 99 }]);
  expect((await turnOf(client, turnId)).skillCalls).toMatchObject([{ skill: LOOK, status: 'SUCCEEDED' }]);
  const [first, second] = asked;
  await resolve(client, allowed(second, false));
  expect((await turnOf(client, turnId)).status).toBe('WAITING_FOR_APPROVAL');
  await resolve(client, allowed(first, true));
  expect(skillEnds(await ended).toSorted()).toEqual(['DENIED', 'SUCCEEDED', 'SUCCEEDED']);
  expect(await companyOf(client)).toMatchObject({ city: 'Kaolack', headcount: 21 });
  const { messages } = readRequest(app.provider.requests.at(-1));
  const results = messages.filter(({ role }) => role === 'tool').map((result) => result.tool_call_id);
  expect(results).toEqual(['call_1', 'call_2', 'call_3']);
  expect((await turnOf(client, turnId)).usage).toMatchObject({ modelCalls: 2, skillCalls: 3 });
});

it('keeps its conversation: the next question waits, or is refused', async () => {
  const { turnId, conversationId, ended, asked } = await askUntilWaiting([update({ city: 'Podor' })]);
  expect(
    await client.startTurn({ conversationId, message: 'Et ensuite ?', whenBusy: 'REJECT' }),
  ).toMatchObject({ __typename: 'TurnInProgress', activeTurn: { id: turnId } });
  const next = await client.ask(book.add([text('Ensuite.'), finish()]), { conversationId });
  expect((await turnOf(client, next.turnId)).status).toBe('QUEUED');
  await resolve(client, { approvalId: onlyOne(asked).id, approve: true });
  await ended;
  await seenToEnd(client, next.turnId);
  const said = await messagesOf(client, conversationId);
  expect(said.filter((message) => message.startsWith('ASSISTANT'))).toEqual([
    'ASSISTANT COMPLETE: C’est fait.',
    'ASSISTANT COMPLETE: Ensuite.',
  ]);
});
