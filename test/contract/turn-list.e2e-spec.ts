import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { identityOf } from '../harness/notification-view.js';
import { isUpkeep, lastOf } from '../harness/provider-request.js';
import { REGENERATE, SHOWN, type Shown } from '../harness/message-tree.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';

const TURNS = `query ($filter: TurnFilter, $first: Int, $after: String) {
  turns(filter: $filter, first: $first, after: $after) {
    edges { node { id status finishReason memberId memberName hidden
      question { text hidden } answer { text hidden } conversation { title assistant { key } }
      skillCalls { skill arguments resultPreview details } modelCalls { purpose inputTokens messages tools } } }
    pageInfo { hasNextPage endCursor } } }`;
const SHOW = `mutation ($id: ID!, $reason: String!) { showTurn(id: $id, reason: $reason) {
  question answer turn { id hidden question { text } }
  skillCalls { skill arguments resultPreview } modelCalls { messages } } }`;

interface TurnView {
  id: string;
  memberId: string;
  memberName: string | null;
  hidden: boolean;
  question: { text: string; hidden: boolean };
  answer: { text: string; hidden: boolean } | null;
  conversation: { title: string | null; assistant: { key: string } };
  skillCalls: object[];
  modelCalls: { inputTokens: number; messages: object[] }[];
}

let app: TestApp;
let ada: TestClient;
let moussa: TestClient;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  app = await shareApp((body) => (isUpkeep(body) ? [finish()] : reply(body)));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  reply = () => [text('Fine.'), finish()];
  const company = await app.company();
  ada = await app.client({ company });
  moussa = await app.client({ company, sub: 'moussa', role: 'MEMBER' });
});

async function ask(client: TestClient, message: string, assistantKey = 'mefali'): Promise<string> {
  const { turnId } = await client.ask(message, { assistantKey });
  await client.allEvents(turnId);
  return turnId;
}

async function turns(filter: object | null = null): Promise<TurnView[]> {
  const { turns } = await ada.get<{ turns: { edges: { node: TurnView }[] } }>(TURNS, { filter });
  return turns.edges.map(({ node }) => node);
}

async function idsOf(filter: object): Promise<string[]> {
  return (await turns(filter)).map(({ id }) => id);
}

async function pagesOf(filter: object, first: number): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | null = null, isMore = true; isMore;) {
    const page: {
      turns: { edges: { node: TurnView }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    } = await ada.get(TURNS, { filter, first, after });
    seen.push(...page.turns.edges.map(({ node }) => node.id));
    ({ endCursor: after, hasNextPage: isMore } = page.turns.pageInfo);
  }
  return seen;
}

async function errorsOf(client: TestClient, query: string, variables: object) {
  const { errors = [] } = await client.send(query, variables);
  return errors.map(({ extensions: { code, path } }) => [code, path]);
}

/** Has a turn with a skill call, of which every word is a secret. */
async function secretTurn(client: TestClient): Promise<string> {
  reply = (body) =>
    lastOf(body).role === 'tool'
      ? [text('The xyzzy answer.'), finish()]
      : [toolCall('remember', { kind: 'FACT', subject: 'Xyzzy', content: 'A xyzzy note.' }), finish()];
  return ask(client, 'A xyzzy question');
}

describe('turns', () => {
  it('are those of the whole company, newest first, page by page', async () => {
    const asked = [await ask(moussa, 'one'), await ask(ada, 'two'), await ask(moussa, 'three')];
    expect(await idsOf({})).toEqual(asked.toReversed());
    expect(await pagesOf({}, 1)).toEqual(asked.toReversed());
    expect((await turns()).map(({ memberName }) => memberName)).toEqual(['moussa', 'ada', 'moussa']);
  });

  it('are found by assistant, member, status, reason, time, cost and how long they took', async () => {
    const [first, second] = [await ask(ada, 'one'), await ask(moussa, 'two', 'solven')];
    reply = () => [status(401)];
    const failed = await ask(moussa, 'three');
    await app.database.dataSource.query(
      `UPDATE turn SET cost_usd = 0.5, seconds = 90, created_at = '2026-01-01' WHERE id = $1`,
      [second],
    );
    const { id: memberId } = await identityOf(moussa);
    expect(await idsOf({ assistantKey: 'solven' })).toEqual([second]);
    expect(await idsOf({ memberId })).toEqual([failed, second]);
    expect(await idsOf({ status: ['FAILED'] })).toEqual([failed]);
    expect(await idsOf({ status: ['FAILED', 'COMPLETED'] })).toEqual([failed, second, first]);
    expect(await idsOf({ status: [] })).toEqual([]);
    expect(await idsOf({ finishReason: ['ERROR', 'MAX_STEPS'] })).toEqual([failed]);
    expect(await idsOf({ finishReason: ['ANSWERED'] })).toEqual([second, first]);
    expect(await idsOf({ minCostUsd: 0.4 })).toEqual([second]);
    expect(await idsOf({ minSeconds: 60 })).toEqual([second]);
    expect(await idsOf({ minSeconds: 60, assistantKey: 'mefali' })).toEqual([]);
    expect(await idsOf({ to: '2026-02-01T00:00:00Z' })).toEqual([]);
    expect(await idsOf({ from: '2026-02-01T00:00:00Z' })).toEqual([failed, first]);
    expect(await idsOf({ from: '2099-01-01T00:00:00Z' })).toEqual([]);
  });

  it('are found by the assistant that answered, its conversation’s or another one, page by page', async () => {
    const own = await ask(ada, 'one', 'solven');
    const { conversationId } = await ada.ask('two', { assistantKey: 'mefali' });
    const { conversation } = await ada.get<Shown>(SHOWN, { id: conversationId });
    const messageId = conversation.messages.edges[0]!.node.id;
    const answered = [own];
    for (const assistantKey of ['solven', 'mefali', 'solven']) {
      const { regenerate } = await ada.get<{ regenerate: StartTurnAnswer }>(REGENERATE, {
        input: { messageId, assistantKey },
      });
      await ada.allEvents(regenerate.turn!.id);
      if (assistantKey === 'solven') answered.push(regenerate.turn!.id);
    }
    answered.push(await ask(ada, 'three', 'solven'));
    const filter = { assistantKey: 'solven' };
    expect(await idsOf(filter)).toEqual(answered.toReversed());
    for (const first of [1, 2, 3, 4]) {
      expect(await pagesOf(filter, first), `${first} a page`).toEqual(answered.toReversed());
    }
  });

  it.each([
    [{ assistantKey: 'nobody' }, 'NOT_FOUND', 'assistantKey'],
    [{ memberId: newId() }, 'NOT_FOUND', 'memberId'],
    [{ minCostUsd: -1 }, 'BAD_USER_INPUT', 'minCostUsd'],
    [{ from: '1900-01-01T00:00:00Z' }, 'BAD_USER_INPUT', 'from'],
  ])('are not found by %j', async (filter, code, argument) => {
    expect(await errorsOf(ada, TURNS, { filter })).toEqual([[code, ['filter', argument]]]);
  });

  it('are for admins, and tell nothing of what others said but what it cost', async () => {
    expect(await errorsOf(moussa, TURNS, {})).toEqual([['FORBIDDEN', undefined]]);
    await secretTurn(moussa);
    const [turn] = await turns();
    expect(turn).toMatchObject({
      hidden: true,
      question: { text: '', hidden: true },
      answer: { text: '', hidden: true },
      conversation: { title: null, assistant: { key: 'mefali' } },
      skillCalls: [{ skill: 'remember', arguments: {}, resultPreview: null, details: null }],
      modelCalls: [
        { messages: [], tools: [] },
        { messages: [], tools: [] },
      ],
    });
    const own = await secretTurn(ada);
    const [{ question, modelCalls, hidden }] = (await turns()) as [TurnView];
    expect([hidden, question]).toEqual([false, { text: 'A xyzzy question', hidden: false }]);
    expect(modelCalls[0]!.messages.length).toBeGreaterThan(0);
    expect((await turns())[0]!.id).toBe(own);
  });

  it('lead nowhere by which others’ words are reached, whatever is asked of them', async () => {
    const turnId = await secretTurn(moussa);
    const schema = buildClientSchema(await ada.get<IntrospectionQuery>(getIntrospectionQuery()));
    for (const selection of selectionsBelow(schema, schema.getType('Turn') as GraphQLObjectType)) {
      const query = `{ turns(first: 1) { edges { node { id ${selection} } } } }`;
      const { data, errors } = await ada.send(query);
      expect([query, errors]).toEqual([query, undefined]);
      expect(JSON.stringify(data)).toContain(turnId);
      expect(JSON.stringify(data)).not.toMatch(/xyzzy/i);
    }
  });
});

/** Everything that can be asked of a type, down to four levels: a part for each field of a field, as a query has limits. */
function selectionsBelow(schema: GraphQLSchema, type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    const types = isAbstractType(named) ? schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
    return types.flatMap((each) =>
      Object.values(each.getFields())
        .filter((inner) => !inner.args.some(isRequiredArgument))
        .map(
          (inner) =>
            `${field.name} { ... on ${each.name} { ${inner.name} ${below(schema, inner.type, 2)} } }`,
        ),
    );
  });
}

/** Everything that can be asked of a value without arguments, down to so many levels. */
function below(schema: GraphQLSchema, of: GraphQLOutputType, depth: number): string {
  const named = getNamedType(of);
  if (isLeafType(named)) return '';
  const types = isAbstractType(named) ? schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
  // Of fields that have one name and other types in other types, one can be asked for at a time.
  const typesOf = new Map<string, string>();
  const selected = types.map((type) => {
    const fields = Object.values(type.getFields()).filter((field) => {
      if (field.args.some(isRequiredArgument)) return false;
      if (depth <= 0 && !isLeafType(getNamedType(field.type))) return false;
      if (!typesOf.has(field.name)) typesOf.set(field.name, String(field.type));
      return typesOf.get(field.name) === String(field.type);
    });
    const selections = fields.map((field) => `${field.name} ${below(schema, field.type, depth - 1)}`);
    return `... on ${type.name} { __typename ${selections.join(' ')} }`;
  });
  return `{ ${selected.join(' ')} }`;
}

describe('showTurn', () => {
  it('shows what was said, and records who looked and why', async () => {
    const turnId = await secretTurn(moussa);
    const { id: memberId } = await identityOf(moussa);
    const { showTurn } = await ada.get<{ showTurn: object }>(SHOW, { id: turnId, reason: ' A complaint. ' });
    expect(showTurn).toMatchObject({
      question: 'A xyzzy question',
      answer: 'The xyzzy answer.',
      turn: { id: turnId, hidden: true, question: { text: '' } },
      skillCalls: [{ skill: 'remember', arguments: { content: 'A xyzzy note.' } }],
    });
    expect(JSON.stringify(showTurn)).toMatch(/messages.*A xyzzy question/);
    const { auditEntries } = await ada.get<{ auditEntries: { edges: { node: object }[] } }>(
      '{ auditEntries(first: 1) { edges { node { action subject details memberName } } } }',
    );
    expect(auditEntries.edges[0]!.node).toEqual({
      action: 'turn.shown',
      subject: turnId,
      details: { memberId, reason: 'A complaint.' },
      memberName: 'ada',
    });
    expect((await turns())[0]!.question.text).toBe('');
  });

  it('shows one that has no answer yet', async () => {
    const said = Promise.withResolvers<void>();
    reply = () => [gate(said.promise), text('Late.'), finish()];
    const { turnId } = await moussa.ask('one');
    expect(await ada.get(SHOW, { id: turnId, reason: 'Slow.' })).toMatchObject({
      showTurn: { question: 'one', answer: null, skillCalls: [] },
    });
    said.resolve();
    await moussa.allEvents(turnId);
  });

  it.each([
    [{ id: newId() }, 'NOT_FOUND', ['id']],
    [{ id: 'no-id' }, 'NOT_FOUND', ['id']],
    [{ reason: ' ' }, 'BAD_USER_INPUT', ['reason']],
    [{ reason: 'x'.repeat(501) }, 'BAD_USER_INPUT', ['reason']],
  ])('refuses %j, and is for admins', async (given, code, path) => {
    const id = await ask(moussa, 'one');
    expect(await errorsOf(ada, SHOW, { id, reason: 'Why not.', ...given })).toEqual([[code, path]]);
    expect(await errorsOf(moussa, SHOW, { id, reason: 'Why not.' })).toEqual([['FORBIDDEN', undefined]]);
  });
});
