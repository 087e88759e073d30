import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isInputObjectType,
} from 'graphql';

import { templateVariables } from '../src/assistants/prompt-template.js';
import { newId } from '../src/common/ids.js';
import { pendingOf } from './harness/approval-view.js';
import type { TestClient } from './harness/test-client.js';
import { QUESTION, TwoCompanies } from './harness/two-companies.js';

let companies: TwoCompanies;
let ours: string;
let schema: GraphQLSchema;
let ada: TestClient;
let abel: TestClient;
let awa: TestClient;
let bob: TestClient;
let olga: TestClient;

beforeAll(async () => {
  companies = await TwoCompanies.start();
  ({ ours } = companies);
  ({ ada, abel, awa, bob, olga } = companies.people);
  schema = buildClientSchema(await ada.get<IntrospectionQuery>(getIntrospectionQuery()));
});
afterAll(() => companies[Symbol.asyncDispose]());

/** How to ask for an id, for every argument of the API that takes one: a new one has to be added here. */
const askFor: Record<string, (id: string) => [operation: string, variables: Record<string, unknown>]> = {
  'Query.node(id)': (id) => ['query ($id: ID!) { node(id: $id) { __typename id } }', { id }],
  'Query.conversation(id)': (id) => ['query ($id: ID!) { conversation(id: $id) { id title } }', { id }],
  'Query.turn(id)': (id) => [
    `query ($id: ID!) { turn(id: $id) {
       id question { text } skillCalls { id } approvals { id } prompts { id messages tools } } }`,
    { id },
  ],
  'Mutation.cancelTurn(id)': (id) => ['mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id }],
  'Mutation.deleteConversation(id)': (id) => ['mutation ($id: ID!) { deleteConversation(id: $id) }', { id }],
  'Mutation.markNotificationRead(id)': (id) => [
    'mutation ($id: ID!) { markNotificationRead(id: $id) { id } }',
    { id },
  ],
  'Mutation.resolveApproval(input.approvalId)': (approvalId) => [
    'mutation ($input: ResolveApprovalInput!) { resolveApproval(input: $input) { id } }',
    { input: { approvalId, approve: true, arguments: { city: 'Thiès' }, comment: 'Oui.' } },
  ],
  'Mutation.setQuota(input.memberId)': (memberId) => [
    'mutation ($input: SetQuotaInput!) { setQuota(input: $input) { subject memberId } }',
    { input: { subject: 'MEMBER', memberId, period: 'DAY', maxTokens: 1 } },
  ],
  'Mutation.startTurn(input.conversationId)': (conversationId) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { conversationId, message: 'Et moi ?' } },
  ],
  'Mutation.startTurn(input.documentIds)': (id) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { assistantKey: 'mefali', message: 'Et moi ?', documentIds: [id] } },
  ],
  'Subscription.turnEvents(turnId)': (id) => [
    'subscription ($id: ID!) { turnEvents(turnId: $id) { __typename } }',
    { id },
  ],
};

/** Where the API takes an id: `Type.field(path.of.the.argument)`. */
const idArguments = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields()).flatMap((field) =>
        field.args.flatMap(idPaths).map((path) => `${type.name}.${field.name}(${path})`),
      ),
    );

const idPaths = ({ name, type }: GraphQLArgument | GraphQLInputField): string[] => {
  const named = getNamedType(type);
  if (named.name === 'ID') return [name];
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((field) => idPaths(field).map((path) => `${name}.${path}`));
};

/** What `client` is answered, with the id taken out of it. */
const answerTo = async (client: TestClient, argument: string, id: string): Promise<string> => {
  const [query, variables] = askFor[argument]!(id);
  const answers = argument.startsWith('Subscription.')
    ? await Array.fromAsync(client.socket().iterate({ query, variables }))
    : [await client.send(query, variables)];
  return JSON.stringify(answers).replaceAll(JSON.stringify(id), '"the id"');
};

describe('an id', () => {
  it('has a test below wherever the API takes one', () => {
    expect(Object.keys(askFor).toSorted()).toEqual(idArguments(schema).toSorted());
  });

  it.each(Object.keys(askFor))('of another company is like one that never was: %s', async (argument) => {
    const before = await companies.everything(ours);
    const ids = await companies.idsOf(ours);
    for (const stranger of [bob, olga]) {
      const absent = await answerTo(stranger, argument, newId());
      expect(absent).toMatch(/"code":"NOT_FOUND"|"data":\{"\w+":null\},"httpStatus":200/);
      for (const { table, id } of ids) {
        expect([table, await answerTo(stranger, argument, id)]).toEqual([table, absent]);
      }
    }
    expect(await companies.everything(ours)).toEqual(before);
  });

  it.each(Object.keys(askFor))('of a colleague is like one that never was: %s', async (argument) => {
    // What everybody in the company may see, and node tells by id.
    const shared = argument === 'Query.node(id)' ? ['assistant', 'company', 'skill'] : [];
    const before = await companies.everything(ours);
    const absent = await answerTo(awa, argument, newId());
    for (const { table, id } of await companies.idsOf(ours)) {
      if (!shared.includes(table)) {
        expect([table, await answerTo(awa, argument, id)]).toEqual([table, absent]);
      }
    }
    expect(await companies.everything(ours)).toEqual(before);
  });

  it.each(Object.keys(askFor))('that cannot be one is like one that never was: %s', async (argument) => {
    const absent = await answerTo(bob, argument, newId());
    const noIds = ['no-id', ' ', '\0', "' OR true --", '0', '{00000000-0000-0000-0000-000000000000}', 'é'];
    for (const id of noIds) expect([id, await answerTo(bob, argument, id)]).toEqual([id, absent]);
  });
});

const year = new Date().getUTCFullYear();

/** A query for every field of Query that takes no id: a new one has to be added here. */
const shows: Record<string, string> = {
  assistant: '{ assistant(key: "mefali") { id prompt { template } promptHistory { template } } }',
  assistants: '{ assistants { id prompt { template } promptHistory { template } skills { id } } }',
  company: '{ company { id name city } }',
  conversations: `{ conversations(first: 2) { edges { node {
    id title activeTurn { id approvals { id } prompts { id messages } }
    messages(first: 10) { edges { node { id text turn { id } } } } } } } }`,
  notifications: '{ notifications(first: 100) { edges { node { id body turn { id } } } } }',
  pendingApprovals: '{ pendingApprovals { id turnId arguments } }',
  quotas: '{ quotas { subject memberId } }',
  skills: '{ skills { id key } }',
  usage: `{ usage(from: "${year}-01-01", to: "${year}-12-31", groupBy: [MEMBER]) { memberId modelCalls } }`,
  viewer: '{ viewer { id company { id name } } }',
};

/** A mutation for every field of Mutation that takes no id: it says by key what it is of, the same in all companies. */
const changes: Record<string, string> = {
  publishPrompt: `{ publishPrompt(assistantKey: "mefali",
    template: "Autre. ${templateVariables.map((name) => `{${name}}`).join(' ')}") { version } }`,
  rollbackPrompt: '{ rollbackPrompt(assistantKey: "mefali", version: 0) { version } }',
  setQuota: '{ setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 2000000 }) { subject } }',
  setSkillActive: '{ setSkillActive(key: "get_company_profile", active: false) { id } }',
  setSkillApproval: '{ setSkillApproval(key: "update_company_profile", required: false) { id } }',
  updateAssistant: '{ updateAssistant(key: "mefali", input: { name: "Autre" }) { id } }',
  updateCompany: '{ updateCompany(input: { city: "Lomé" }) { id } }',
};

/** The fields of a root type, but for those that have no way to be asked without an id. */
const fieldsWithoutId = (type: GraphQLObjectType | null | undefined): string[] =>
  Object.values(type?.getFields() ?? {})
    .filter(({ args }) => args.flatMap(idPaths).length === 0)
    .map(({ name }) => name);

describe('what is asked for without an id', () => {
  it('has a test below', () => {
    expect(Object.keys(shows).toSorted()).toEqual(fieldsWithoutId(schema.getQueryType()).toSorted());
    // Quotas are set by id or without.
    expect(Object.keys(changes).toSorted()).toEqual(
      [...fieldsWithoutId(schema.getMutationType()), 'setQuota'].toSorted(),
    );
    expect(fieldsWithoutId(schema.getSubscriptionType())).toEqual(['notificationAdded']);
  });

  it.each(Object.keys(shows))('shows a company to its own alone: %s', async (field) => {
    const query = shows[field]!;
    const ids = (await companies.idsOf(ours)).map(({ id }) => id);
    const namesUs = async (viewer: TestClient): Promise<boolean> => {
      const shown = JSON.stringify(await viewer.get(query));
      return ids.some((id) => shown.includes(id));
    };
    expect([await namesUs(ada), await namesUs(bob), await namesUs(olga)]).toEqual([true, false, false]);
  });

  it.each(Object.keys(changes))('changes a company by its own alone: %s', async (field) => {
    const before = await companies.everything(ours);
    const theirsBefore = await companies.everything(companies.theirs);
    await bob.get(`mutation ${changes[field]}`);
    expect(await companies.everything(companies.theirs)).not.toEqual(theirsBefore);
    expect(await companies.everything(ours)).toEqual(before);
  });
});

describe('the API', () => {
  it('lists the viewer’s own conversations only', async () => {
    const query = '{ conversations { edges { node { title } } } }';
    expect(await awa.get(query)).toEqual({ conversations: { edges: [] } });
    const { conversations } = await ada.get<{ conversations: { edges: { node: { title: string } }[] } }>(
      query,
    );
    expect(conversations.edges.map(({ node }) => node.title)).toContain(QUESTION);
  });

  it('shows what waits for an answer to admins and to the asker, and to nobody else', async () => {
    expect(await pendingOf(awa)).toEqual([]);
    const [admin, asker] = await Promise.all([pendingOf(abel), pendingOf(ada)]);
    expect(asker).toHaveLength(1);
    expect(admin).toEqual(asker);
  });

  it('does not let one asker’s idempotency key tell another of it', async () => {
    const question = { assistantKey: 'mefali', message: 'Bonjour', idempotencyKey: 'the same' };
    const [first, colleague, stranger] = await Promise.all([
      ada.startTurn(question),
      awa.startTurn({ ...question, message: 'Bonsoir' }),
      bob.startTurn({ ...question, message: 'Adieu' }),
    ]);
    expect([first, colleague, stranger].map(({ __typename }) => __typename)).toEqual(
      Array(3).fill('TurnAccepted'),
    );
    expect(new Set([first, colleague, stranger].map(({ turn }) => turn?.id)).size).toBe(3);
    // Their answers are waited for, so that nothing is under way when the next test looks.
    await Promise.all([ada.allEvents(first.turn!.id), awa.allEvents(colleague.turn!.id)]);
    await bob.allEvents(stranger.turn!.id);
  });
});
