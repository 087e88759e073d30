import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { untilWaiting } from '../harness/approval-view.js';
import {
  askUntilAsked,
  expireInputs,
  inputStatuses,
  onlyInput,
  resultsToldTo,
} from '../harness/input-asking.js';
import {
  answerInput,
  inputsOf,
  type InputView,
  pendingInputs,
  refusalOf,
  skillEnd,
  untilAsked,
} from '../harness/input-view.js';
import { seenToEnd } from '../harness/laws.js';
import { notificationsOf } from '../harness/notification-view.js';
import { readRequest } from '../harness/provider-request.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const UPDATE = 'update_company_profile';
const schema = {
  // As libraries write it into the schemas that they make of types.
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'string', enum: ['S', 'L'] } },
  required: ['city'],
};
const askUser = toolCall('ask_user', { prompt: 'Dans quelle ville ?', schema }, 'call_ask');
const readPage = {
  key: 'read_page',
  description: 'Reads what stands on the page.',
  parameters: { ...schema, properties: { part: { type: 'string' } }, required: ['part'] },
};
const callPage = toolCall('read_page', { part: 'title' }, 'call_page');
const done = [text('C’est fait.'), finish()];

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let client: TestClient;
let member: TestClient;

beforeAll(async () => {
  app = stack.use(await startApp(book.replyTo));
  client = await app.client();
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
  await client.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
});
afterAll(() => stack.disposeAsync());

/** A question that has the model ask back. */
function back(steps: readonly ProviderStep[]): string {
  return book.add([...steps, finish()], done);
}

describe('a question of the model', () => {
  it('waits for its member, who answers it, and the turn goes on', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([askUser]));
    const question = onlyInput(asked);
    expect(question).toMatchObject({
      __typename: 'Question',
      kind: 'QUESTION',
      status: 'PENDING',
      prompt: 'Dans quelle ville ?',
      responseSchema: schema,
    });
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_INPUT');
    const { edges } = await pendingInputs(member, { turnId });
    expect(edges.map(({ node }) => node)).toMatchObject([
      { id: question.id, askedByName: 'bea', askedIn: expect.stringContaining('Question ') },
    ]);
    expect((await notificationsOf(member)).edges[0]?.node).toMatchObject({
      kind: 'INPUT_REQUESTED',
      title: 'Mefali vous demande quelque chose',
      body: 'Dans quelle ville ?',
      turn: { id: turnId },
    });
    const answer = { question: { id: question.id, value: { city: 'Thiès', size: 'S' } } };
    const answered = await answerInput(member, answer);
    expect(answered).toMatchObject({ id: question.id, status: 'ANSWERED' });
    const events = await ended;
    expect(inputStatuses(events)).toEqual([
      'QUEUED',
      'RUNNING',
      'WAITING_FOR_INPUT',
      'ANSWERED',
      'QUEUED',
      'RUNNING',
    ]);
    expect(skillEnd(events)).toMatchObject({ skill: 'ask_user', callStatus: 'SUCCEEDED' });
    expect(resultsToldTo(app.provider)[0]).toContain('{"city":"Thiès","size":"S"}');
    expect((await turnOf(member, turnId)).status).toBe('COMPLETED');
    // The same once more is the same; anything else comes too late.
    expect(await answerInput(member, answer)).toEqual(answered);
    const other = { question: { id: question.id, value: { city: 'Dakar' } } };
    expect(await refusalOf(member, other)).toEqual({ code: 'CONFLICT', status: 'ANSWERED' });
    const unread = await notificationsOf(member, { unreadOnly: true });
    expect(unread.edges.filter(({ node }) => node.kind === 'INPUT_REQUESTED')).toEqual([]);
  });

  it('is refused an answer that does not fit, each with its code and path', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([askUser]));
    const { id } = onlyInput(asked);
    const deep = JSON.parse('{"city":'.repeat(80) + '1' + '}'.repeat(80)) as JsonObject;
    const wrong = { code: 'BAD_USER_INPUT', argument: 'input.question.value' };
    for (const value of [undefined, null, 'Thiès', { city: 7 }, { city: 'T', size: 'M' }, {}, deep]) {
      expect(await refusalOf(member, { question: { id, value } })).toEqual(wrong);
    }
    expect(await refusalOf(member, { question: { id, value: { city: 'x'.repeat(100_000) } } })).toEqual(
      wrong,
    );
    expect(await refusalOf(member, { question: { id, value: { city: 'T' }, declined: true } })).toEqual(
      wrong,
    );
    expect(await refusalOf(member, {})).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(await refusalOf(member, { question: { id, declined: true }, mcp: { id } })).toMatchObject({
      code: 'BAD_USER_INPUT',
    });
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_INPUT');
    expect(await answerInput(member, { question: { id, declined: true } })).toMatchObject({
      status: 'DECLINED',
    });
    const events = await ended;
    expect(skillEnd(events)).toMatchObject({ callStatus: 'DENIED' });
    expect(resultsToldTo(app.provider)[0]).toContain("n'a pas voulu répondre");
    expect(await refusalOf(member, { question: { id, value: { city: 'T' } } })).toEqual({
      code: 'CONFLICT',
      status: 'DECLINED',
    });
  });

  it('is nobody else’s: not a colleague’s, an admin’s, or another company’s', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([askUser]));
    const { id } = onlyInput(asked);
    const colleague = await app.client({ sub: 'cleo', role: 'MEMBER' });
    const elsewhere = await app.client({ company: await app.company() });
    for (const stranger of [colleague, client, elsewhere]) {
      expect(await refusalOf(stranger, { question: { id, declined: true } })).toEqual({
        code: 'NOT_FOUND',
        argument: 'input.question.id',
      });
      expect(await stranger.get('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ node: null });
    }
    expect(
      await colleague.codes('query ($id: ID!) { pendingInputs(turnId: $id) { edges { cursor } } }', {
        id: turnId,
      }),
    ).toEqual(['NOT_FOUND']);
    // Nor is it anything else than a question.
    for (const input of [{ mcp: { id } }, { clientSkill: { id, result: 1 } }]) {
      expect(await refusalOf(member, input)).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await refusalOf(member, { approval: { approvalId: id, approve: true } })).toMatchObject({
      code: 'NOT_FOUND',
    });
    const node = 'query ($id: ID!) { node(id: $id) { __typename ... on Question { prompt } } }';
    expect(await member.get(node, { id })).toEqual({
      node: { __typename: 'Question', prompt: 'Dans quelle ville ?' },
    });
    await answerInput(member, { question: { id, declined: true } });
    await ended;
  });

  it('counts as declined when it expires, and the model is told so', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([askUser]));
    await expireInputs(app, turnId);
    const events = await ended;
    expect(inputStatuses(events)).toContain('EXPIRED');
    expect(skillEnd(events)).toMatchObject({ callStatus: 'DENIED' });
    expect(resultsToldTo(app.provider)[0]).toContain("Aucune réponse n'est venue à temps");
    const late = { question: { id: onlyInput(asked).id, value: { city: 'T' } } };
    expect(await refusalOf(member, late)).toEqual({ code: 'CONFLICT', status: 'EXPIRED' });
  });

  it('is cancelled with its turn, before TurnDone', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([askUser]));
    await cancelTurn(member, turnId);
    const events = await ended;
    expect(events.slice(-2)).toMatchObject([
      { __typename: 'InputResolved', inputId: onlyInput(asked).id, inputStatus: 'CANCELLED' },
      { __typename: 'TurnDone', status: 'CANCELLED' },
    ]);
    expect(await inputsOf(member, turnId)).toMatchObject([{ status: 'CANCELLED' }]);
    const late = { question: { id: onlyInput(asked).id, value: { city: 'T' } } };
    expect(await refusalOf(member, late)).toEqual({ code: 'CONFLICT', status: 'CANCELLED' });
  });

  it('is a text where the model gives no schema, and not put where it gives a bad one', async () => {
    const nested = { type: 'object', properties: { a: { type: 'object' } } };
    const wrong = toolCall('ask_user', { prompt: 'Quoi ?', schema: nested }, 'call_wrong');
    const plain = toolCall('ask_user', { prompt: 'Quoi ?' }, 'call_plain');
    const { ended, asked } = await askUntilAsked(member, back([wrong, plain]));
    const { id, responseSchema } = onlyInput(asked);
    expect(responseSchema).toMatchObject({ properties: { answer: { type: 'string' } } });
    await answerInput(member, { question: { id, value: { answer: 'Rien.' } } });
    expect(skillEnd(await ended)).toMatchObject({ callStatus: 'FAILED' });
  });

  it('is not put once an admin has switched it off', async () => {
    await client.get('mutation { setSkillActive(key: "ask_user", active: false) { id } }');
    const { turnId } = await member.ask(book.add([askUser, finish()], done));
    expect(skillEnd(await seenToEnd(member, turnId))).toMatchObject({ callStatus: 'FAILED' });
    await client.get('mutation { setSkillActive(key: "ask_user", active: true) { id } }');
  });
});

describe('a skill that the front end carries out', () => {
  const clientSkills = [readPage];

  it('is offered, called, and what comes of it is data from outside', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([callPage]), { clientSkills });
    const call = onlyInput(asked);
    expect(call).toMatchObject({
      __typename: 'ClientSkillCall',
      skill: 'read_page',
      arguments: { part: 'title' },
      callId: expect.any(String),
    });
    const { tools } = readRequest(app.provider.requests.at(-1));
    expect(JSON.stringify(tools)).toContain(readPage.description);
    expect(Math.round((Date.parse(call.expiresAt) - Date.now()) / 60_000)).toBe(5);
    const answer = { clientSkill: { id: call.id, result: { title: 'Accueil' } } };
    const answered = await answerInput(member, answer);
    expect(await answerInput(member, answer)).toMatchObject({ id: answered.id, status: 'ANSWERED' });
    const events = await ended;
    expect(skillEnd(events)).toMatchObject({ callId: call.callId, callStatus: 'SUCCEEDED' });
    expect(resultsToldTo(app.provider)[0]).toMatch(/^<result/);
    expect(resultsToldTo(app.provider)[0]).toContain('Accueil');
    expect((await turnOf(member, turnId)).skillCalls).toMatchObject([{ skill: 'read_page' }]);
  });

  it('may fail, which the model is told', async () => {
    const { ended, asked } = await askUntilAsked(member, back([callPage]), { clientSkills });
    await answerInput(member, { clientSkill: { id: onlyInput(asked).id, error: 'The page is closed.' } });
    expect(skillEnd(await ended)).toMatchObject({
      callStatus: 'FAILED',
      resultPreview: 'The page is closed.',
    });
  });

  it('has its result refused when it is too large, none, or too late', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([callPage]), { clientSkills });
    const { id } = onlyInput(asked);
    const wrong = { code: 'BAD_USER_INPUT', argument: 'input.clientSkill.result' };
    for (const result of ['x'.repeat(500_000), 'x'.repeat(10_000_000), undefined]) {
      expect(await refusalOf(member, { clientSkill: { id, result } })).toEqual(wrong);
    }
    const both = { clientSkill: { id, result: 1, error: 'No.' } };
    expect(await refusalOf(member, both)).toEqual({ ...wrong, argument: 'input.clientSkill.error' });
    await app.database.dataSource.query('UPDATE pending_input SET expires_at = now() WHERE id = $1', [id]);
    expect(await refusalOf(member, { clientSkill: { id, result: 1 } })).toEqual({
      code: 'CONFLICT',
      status: 'EXPIRED',
    });
    expect(skillEnd(await ended)).toMatchObject({ callStatus: 'DENIED' });
    expect((await turnOf(member, turnId)).status).toBe('COMPLETED');
  });

  it('is not called with arguments that do not fit', async () => {
    const wrong = toolCall('read_page', { part: 7 });
    const { turnId } = await member.ask(book.add([wrong, finish()], done), {
      assistantKey: 'mefali',
      clientSkills,
    });
    expect(skillEnd(await seenToEnd(member, turnId))).toMatchObject({ callStatus: 'FAILED' });
  });

  it('stays in the question that is answered anew', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([callPage]), { clientSkills });
    await answerInput(member, { clientSkill: { id: onlyInput(asked).id, result: 'Accueil' } });
    await ended;
    const { turn } = await member.get<{ turn: { question: { id: string } } }>(
      'query ($id: ID!) { turn(id: $id) { question { id } } }',
      { id: turnId },
    );
    const { regenerate } = await member.get<{ regenerate: { turn: { id: string } } }>(
      'mutation ($input: RegenerateInput!) { regenerate(input: $input) { ... on TurnAccepted { turn { id } } } }',
      { input: { messageId: turn.question.id } },
    );
    const again = onlyInput(await untilAsked(member, regenerate.turn.id));
    expect(again).toMatchObject({ skill: 'read_page' });
    await answerInput(member, { clientSkill: { id: again.id, result: 'Accueil' } });
    await seenToEnd(member, regenerate.turn.id);
  });

  it.each<[string, object[]]>([
    ['0.key', [{ ...readPage, key: UPDATE }]],
    ['0.key', [{ ...readPage, key: 'load_skill' }]],
    ['0.key', [{ ...readPage, key: 'Read Page' }]],
    ['1.key', [readPage, readPage]],
    ['0.parameters', [{ ...readPage, parameters: { type: 'array' } }]],
    ['0.parameters', [{ ...readPage, parameters: { type: 'object', properties: { a: { type: 'what' } } } }]],
    ['0.description', [{ ...readPage, description: ' ' }]],
    ['0.timeoutSeconds', [{ ...readPage, timeoutSeconds: 0 }]],
    ['0.timeoutSeconds', [{ ...readPage, timeoutSeconds: 100_000 }]],
  ])('is refused by its %s', async (where, skills) => {
    const { errors } = await member.send(
      'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
      {
        input: { assistantKey: 'mefali', message: 'Bonjour', clientSkills: skills },
      },
    );
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', argument: `input.clientSkills.${where}` } },
    ]);
  });

  it('is part of what an idempotency key stands for', async () => {
    const message = book.add(done);
    const input = { assistantKey: 'mefali', message, idempotencyKey: 'with skills', clientSkills };
    const first = await member.startTurn(input);
    expect(await member.startTurn(input)).toMatchObject({ turn: { id: first.turn?.id } });
    expect(await member.startTurn({ ...input, clientSkills: null })).toMatchObject({
      __typename: 'IdempotencyConflict',
    });
  });
});

describe('several at once', () => {
  it('are answered in any order, and the turn goes on with the last', async () => {
    const steps = [toolCall(UPDATE, { city: 'Kaolack' }, 'call_update'), askUser, callPage];
    const { turnId, ended, asked } = await askUntilAsked(member, back(steps), { clientSkills: [readPage] });
    expect(asked.map(({ kind, skill }) => kind ?? skill)).toEqual([UPDATE, 'QUESTION', 'CLIENT_SKILL']);
    const [approval, question, call] = asked;
    expect((await pendingInputs(member, { turnId })).edges).toHaveLength(2);
    const [first] = (await pendingInputs(client, { turnId })).edges;
    expect(first?.node).toMatchObject({ id: approval?.id, kind: 'APPROVAL', askedByName: 'bea' });
    await answerInput(member, { clientSkill: { id: call!.id, result: 'Accueil' } });
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_INPUT');
    await answerInput(member, { question: { id: question!.id, value: { city: 'Thiès' } } });
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_APPROVAL');
    const path = { code: 'BAD_USER_INPUT', argument: 'input.approval.arguments' };
    const wrong = { approvalId: approval!.id, approve: true, arguments: { city: 7 } };
    expect(await refusalOf(client, { approval: wrong })).toEqual(path);
    expect(await refusalOf(member, { approval: { approvalId: approval!.id, approve: true } })).toEqual({
      code: 'FORBIDDEN',
    });
    await answerInput(client, { approval: { approvalId: approval!.id, approve: true } });
    const events = await ended;
    expect(inputStatuses(events).slice(2)).toEqual([
      'WAITING_FOR_INPUT',
      'ANSWERED',
      'ANSWERED',
      'WAITING_FOR_APPROVAL',
      'APPROVED',
      'QUEUED',
      'RUNNING',
    ]);
    expect(resultsToldTo(app.provider)).toHaveLength(3);
    const { messages } = readRequest(app.provider.requests.at(-1));
    const results = messages.filter(({ role }) => role === 'tool').map((result) => result.tool_call_id);
    expect(results).toEqual(['call_update', 'call_ask', 'call_page']);
  });

  it('are listed in pages, oldest first', async () => {
    const steps = [askUser, toolCall('ask_user', { prompt: 'Et quand ?' }, 'call_when')];
    const { turnId, ended } = await askUntilAsked(member, back(steps));
    const page = await pendingInputs(member, { turnId, first: 1 });
    expect(page).toMatchObject({
      edges: [{ node: { prompt: 'Dans quelle ville ?' } }],
      pageInfo: { hasNextPage: true },
    });
    const rest = await pendingInputs(member, { turnId, first: 1, after: page.edges[0]?.cursor });
    expect(rest).toMatchObject({
      edges: [{ node: { prompt: 'Et quand ?' } }],
      pageInfo: { hasNextPage: false },
    });
    await cancelTurn(member, turnId);
    await ended;
  });

  it('say who asked and what to those who may decide, and to nobody else', async () => {
    const { ended, asked, turnId } = await askUntilAsked(member, back([toolCall(UPDATE, { city: 'Podor' })]));
    const [approval] = await untilWaiting(member, turnId);
    expect(onlyInput(asked).id).toBe(approval?.id);
    const query = '{ pendingApprovals { id askedByName askedIn } }';
    const told = async (viewer: TestClient) =>
      (await viewer.get<{ pendingApprovals: InputView[] }>(query)).pendingApprovals.find(
        ({ id }) => id === approval?.id,
      );
    expect(await told(client)).toMatchObject({
      askedByName: 'bea',
      askedIn: expect.stringContaining('Question '),
    });
    expect(await told(member)).toMatchObject({ askedByName: null, askedIn: null });
    await cancelTurn(member, turnId);
    await ended;
  });
});
