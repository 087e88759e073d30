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

import { templateVariables } from '../src/assistants/prompts/prompt-template.js';
import { newId } from '../src/common/ids.js';
import { pendingOf } from './harness/approval-view.js';
import type { TestClient } from './harness/test-client.js';
import { ownSkill, QUESTION, TwoCompanies } from './harness/two-companies.js';

let companies: TwoCompanies;
let ours: string;
let schema: GraphQLSchema;
let ada: TestClient;
let abel: TestClient;
let awa: TestClient;
let bob: TestClient;
let olga: TestClient;
/** Of our company’s rows, none of which is Awa’s. */
let idsOfOthers: Awaited<ReturnType<TwoCompanies['idsOf']>>;

const IMPORT = `mutation { importConversation(input: { assistantKey: "mefali", title: "Avant", messages: [
  { role: USER, text: "Bonjour.", createdAt: "2024-01-01T00:00:00Z" }] }) { id } }`;

beforeAll(async () => {
  companies = await TwoCompanies.start();
  ({ ours } = companies);
  ({ ada, abel, awa, bob, olga } = companies.people);
  idsOfOthers = await companies.idsOf(ours);
  for (const client of [awa, bob, olga]) {
    const { importConversation } = await client.get<{ importConversation: { id: string } }>(IMPORT);
    ownConversations.set(client, importConversation.id);
  }
  schema = buildClientSchema(await ada.get<IntrospectionQuery>(getIntrospectionQuery()));
});
afterAll(() => companies[Symbol.asyncDispose]());

/** A conversation of everybody's own, for what takes an id besides it. */
const ownConversations = new Map<TestClient, string>();

/** How to ask for an id, for every argument of the API that takes one: a new one has to be added here. */
const askFor: Record<
  string,
  (id: string, ownConversation?: string) => [operation: string, variables: Record<string, unknown>]
> = {
  'Query.node(id)': (id) => ['query ($id: ID!) { node(id: $id) { __typename id } }', { id }],
  'Query.conversation(id)': (id) => ['query ($id: ID!) { conversation(id: $id) { id title } }', { id }],
  'Query.memoryContext(conversationId)': (id) => [
    'query ($id: ID!) { memoryContext(message: "Et moi ?", conversationId: $id) { text items { text } } }',
    { id },
  ],
  'Query.turn(id)': (id) => [
    `query ($id: ID!) { turn(id: $id) {
       id question { text } skillCalls { id } approvals { id } prompts { id messages tools } } }`,
    { id },
  ],
  'Mutation.cancelTurn(id)': (id) => ['mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id }],
  'Mutation.deleteDocument(id)': (id) => ['mutation ($id: ID!) { deleteDocument(id: $id) }', { id }],
  'Query.document(id)': (id) => ['query ($id: ID!) { document(id: $id) { id name url } }', { id }],
  'Subscription.documentProgress(documentId)': (id) => [
    'subscription ($id: ID!) { documentProgress(documentId: $id) { id name } }',
    { id },
  ],
  'Mutation.deleteFile(id)': (id) => ['mutation ($id: ID!) { deleteFile(id: $id) }', { id }],
  'Mutation.deleteConversation(id)': (id) => ['mutation ($id: ID!) { deleteConversation(id: $id) }', { id }],
  'Mutation.deleteWebhook(id)': (id) => ['mutation ($id: ID!) { deleteWebhook(id: $id) }', { id }],
  'Mutation.eraseMember(id)': (id) => ['mutation ($id: ID!) { eraseMember(id: $id) }', { id }],
  'Mutation.forget(id)': (id) => ['mutation ($id: ID!) { forget(id: $id) }', { id }],
  'Mutation.markNotificationRead(id)': (id) => [
    'mutation ($id: ID!) { markNotificationRead(id: $id) { id } }',
    { id },
  ],
  'Mutation.pinProject(conversationId)': (id) => [
    'mutation ($id: ID!) { pinProject(conversationId: $id) { id activeProject { id } } }',
    { id },
  ],
  'Mutation.pinProject(memoryId)': (id, ownConversation) => [
    'mutation ($own: ID!, $id: ID!) { pinProject(conversationId: $own, memoryId: $id) { activeProject { id } } }',
    { own: ownConversation, id },
  ],
  'Mutation.resolveApproval(input.approvalId)': (approvalId) => [
    'mutation ($input: ResolveApprovalInput!) { resolveApproval(input: $input) { id } }',
    { input: { approvalId, approve: true, arguments: { city: 'Thiès' }, comment: 'Oui.' } },
  ],
  'Mutation.revokeApiKey(id)': (id) => ['mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id }],
  'Mutation.setQuota(input.memberId)': (memberId) => [
    'mutation ($input: SetQuotaInput!) { setQuota(input: $input) { subject memberId } }',
    { input: { subject: 'MEMBER', memberId, period: 'DAY', maxTokens: 1 } },
  ],
  'Mutation.setWebhookActive(id)': (id) => [
    'mutation ($id: ID!) { setWebhookActive(id: $id, active: false) { id url } }',
    { id },
  ],
  'Mutation.startTurn(input.conversationId)': (conversationId) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { conversationId, message: 'Et moi ?' } },
  ],
  'Mutation.startTurn(input.documentIds)': (id) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { assistantKey: 'mefali', message: 'Et moi ?', documentIds: [id] } },
  ],
  'Mutation.testWebhook(id)': (id) => [
    'mutation ($id: ID!) { testWebhook(id: $id) { status failure } }',
    { id },
  ],
  'Mutation.updateMemory(id)': (id) => [
    'mutation ($id: ID!) { updateMemory(id: $id, content: "Autre.") { id } }',
    { id },
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
  const [query, variables] = askFor[argument]!(id, ownConversations.get(client));
  const answers = argument.startsWith('Subscription.')
    ? await Array.fromAsync(client.socket().iterate({ query, variables }))
    : [await client.send(query, variables)];
  return JSON.stringify(answers).replaceAll(JSON.stringify(id), '"the id"');
};

/** The tables of what everybody in the company may see, where it is told by id. */
const sharedBy = (argument: string): string[] => {
  if (argument === 'Query.node(id)') return ['assistant', 'company', 'document', 'skill'];
  return /document/i.test(argument) ? ['document'] : [];
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
    const shared = sharedBy(argument);
    const before = await companies.everything(ours);
    const absent = await answerTo(awa, argument, newId());
    for (const { table, id } of idsOfOthers) {
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
  apiKeys: '{ apiKeys(first: 100) { edges { node { id memberId name } } } }',
  assistant: '{ assistant(key: "mefali") { id prompt { template } promptHistory { template } } }',
  assistants: '{ assistants { id prompt { template } promptHistory { template } skills { id } } }',
  auditEntries: '{ auditEntries(first: 100) { edges { node { id memberId memberName subject details } } } }',
  company: '{ company { id name city } }',
  conversations: `{ conversations(first: 2) { edges { node {
    id title activeTurn { id approvals { id } prompts { id messages } }
    messages(first: 10) { edges { node { id text turn { id } } } } } } } }`,
  documents: '{ documents(first: 100) { edges { node { id name url } } } }',
  files: '{ files(first: 100) { edges { node { id name url } } } }',
  mcpServers: '{ mcpServers { id key url } }',
  members: '{ members(first: 100) { edges { node { id name email } } } }',
  memories: '{ memories(first: 100) { edges { node { id subject history { id } } } } }',
  notifications: '{ notifications(first: 100) { edges { node { id body turn { id } } } } }',
  pendingApprovals: '{ pendingApprovals { id turnId arguments } }',
  quotas: '{ quotas { subject memberId member { id name } } }',
  searchDocuments: '{ searchDocuments(query: "verger") { id text document { id name } } }',
  skills: '{ skills { id key } }',
  usage: `{ usage(from: "${year}-01-01", to: "${year}-12-31", groupBy: [MEMBER]) {
    memberId member { id name } modelCalls } }`,
  viewer: '{ viewer { id company { id name } } }',
  webhooks: '{ webhooks { id url } }',
};

/** What is of the installation, and the same whoever asks. */
const ofTheInstallation: Record<string, string> = {
  installedMcpServers: '{ installedMcpServers { key state failure tools notes } }',
  refusedPacks: '{ refusedPacks { path reason } }',
};

const literal = (input: object): string =>
  `{ ${Object.entries(input)
    .map(([name, value]) => `${name}: ${name === 'method' ? String(value) : JSON.stringify(value)}`)
    .join(', ')} }`.replaceAll(/"(type|properties)":/g, '$1:');

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.invalid/' }],
  paths: {
    '/articles': { get: { operationId: 'listArticles', responses: { 200: { description: 'All.' } } } },
  },
});

/** A mutation for every field of Mutation that takes no id: it says by key what it is of, the same in all companies. */
const changes: Record<string, string> = {
  createApiKey: '{ createApiKey(input: { name: "ERP" }) { secret } }',
  createDocumentUpload: `{ createDocumentUpload(input: {
    name: "a.txt", mediaType: "text/plain", bytes: 1 }) { url } }`,
  createSkillUpload: '{ createSkillUpload(input: { name: "packs.zip", bytes: 10 }) { url } }',
  createWebhook: '{ createWebhook(input: { url: "https://other.invalid/" }) { secret } }',
  exportMyData: '{ exportMyData { id } }',
  importConversation: IMPORT.replace('mutation', ''),
  importOpenApi: `{ importOpenApi(input: {
    document: ${JSON.stringify(document)}, operations: ["listArticles"] }) { id } }`,
  publishPrompt: `{ publishPrompt(assistantKey: "mefali",
    template: "Autre. ${templateVariables.map((name) => `{${name}}`).join(' ')}") { version } }`,
  refreshMcpServer: '{ refreshMcpServer(key: "stock") { id } }',
  registerHttpSkill: `{ registerHttpSkill(input: ${literal(ownSkill('get_new'))}) { id } }`,
  registerMcpServer: `{ registerMcpServer(input: { key: "new", url: "https://new.invalid/mcp" }) { id } }`,
  remember: '{ remember(input: { kind: FACT, subject: "Thé", content: "Plutôt vert." }) { id } }',
  removeHttpSkill: '{ removeHttpSkill(key: "get_item") }',
  removeMcpServer: '{ removeMcpServer(key: "stock") }',
  removePack: '{ removePack(key: "acta") }',
  rollbackPrompt: '{ rollbackPrompt(assistantKey: "mefali", version: 0) { version } }',
  setQuota: '{ setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 2000000 }) { subject } }',
  setSkillAccess: '{ setSkillAccess(key: "get_company_profile", leastRole: ADMIN) { id } }',
  setSkillActive: '{ setSkillActive(key: "get_company_profile", active: false) { id } }',
  setSkillApproval: '{ setSkillApproval(key: "update_company_profile", required: false) { id } }',
  tryHttpSkill: '{ tryHttpSkill(key: "get_other", arguments: {}) { error } }',
  updateAssistant: '{ updateAssistant(key: "mefali", input: { name: "Autre" }) { id } }',
  updateCompany: '{ updateCompany(input: { city: "Lomé" }) { id } }',
  // Last, for Bob is somebody else afterwards.
  eraseMyData: '{ eraseMyData }',
};

/** Mutations that only look at what they are given. */
const changesNothing: Record<string, string> = {
  previewOpenApiImport: `{ previewOpenApiImport(input: { document: ${JSON.stringify(document)} }) { title } }`,
};

/** The fields of a root type, but for those that have no way to be asked without an id. */
const fieldsWithoutId = (type: GraphQLObjectType | null | undefined): string[] =>
  Object.values(type?.getFields() ?? {})
    .filter(({ args }) => args.flatMap(idPaths).length === 0)
    .map(({ name }) => name);

describe('what is asked for without an id', () => {
  it('has a test below', () => {
    expect(Object.keys({ ...shows, ...ofTheInstallation }).toSorted()).toEqual(
      fieldsWithoutId(schema.getQueryType()).toSorted(),
    );
    // Quotas are set by id or without.
    expect(Object.keys({ ...changes, ...changesNothing }).toSorted()).toEqual(
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

  it.each(Object.keys(ofTheInstallation))('names no company where it is of none: %s', async (field) => {
    const shown = await Promise.all([ada, bob, olga].map((viewer) => viewer.get(ofTheInstallation[field]!)));
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    for (const { id } of await companies.idsOf(ours)) expect(JSON.stringify(shown)).not.toContain(id);
  });

  it.each(Object.keys(changesNothing))('changes nobody where it only looks: %s', async (field) => {
    const before = [await companies.everything(ours), await companies.everything(companies.theirs)];
    await bob.get(`mutation ${changesNothing[field]}`);
    expect([await companies.everything(ours), await companies.everything(companies.theirs)]).toEqual(before);
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
    expect(await awa.get(query)).toEqual({ conversations: { edges: [{ node: { title: 'Avant' } }] } });
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
