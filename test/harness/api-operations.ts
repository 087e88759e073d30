import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
} from 'graphql';

import { templateVariables } from '../../src/companies/assistants/prompt-template.js';
import { ownSkill } from './two-companies.js';

export const IMPORT = `mutation { importConversation(input: { assistantKey: "mefali", title: "Avant", messages: [
  { role: USER, text: "Bonjour.", createdAt: "2024-01-01T00:00:00Z" }] }) { id } }`;

function answering(input: object): [operation: string, variables: Record<string, unknown>] {
  return ['mutation ($input: AnswerInputInput!) { answerInput(input: $input) { id status } }', { input }];
}

/** How to ask for an id, for every argument of the API that takes one: a new one has to be added here. */
export const byId: Record<
  string,
  (id: string, ownConversation?: string) => [operation: string, variables: Record<string, unknown>]
> = {
  'Query.node(id)': (id) => ['query ($id: ID!) { node(id: $id) { __typename id } }', { id }],
  'Query.conversation(id)': (id) => ['query ($id: ID!) { conversation(id: $id) { id title } }', { id }],
  'Query.memoryContext(conversationId)': (id) => [
    'query ($id: ID!) { memoryContext(message: "Et moi ?", conversationId: $id) { text items { text } } }',
    { id },
  ],
  'Query.pendingInputs(turnId)': (id) => [
    'query ($id: ID!) { pendingInputs(turnId: $id) { edges { node { id askedIn } } } }',
    { id },
  ],
  'Query.turn(id)': (id) => [
    `query ($id: ID!) { turn(id: $id) {
       id question { text } skillCalls { id } approvals { id } pendingInputs { id } prompts { id messages tools } } }`,
    { id },
  ],
  'Query.turns(filter.memberId)': (id) => [
    'query ($id: ID!) { turns(filter: { memberId: $id }) { edges { node { id } } } }',
    { id },
  ],
  'Mutation.showTurn(id)': (id) => [
    'mutation ($id: ID!) { showTurn(id: $id, reason: "Support.") { question answer turn { id } } }',
    { id },
  ],
  'Mutation.cancelTurn(id)': (id) => ['mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id }],
  'Mutation.deactivateMember(id)': (id) => [
    'mutation ($id: ID!) { deactivateMember(id: $id) { id } }',
    { id },
  ],
  'Mutation.reactivateMember(id)': (id) => [
    'mutation ($id: ID!) { reactivateMember(id: $id) { id } }',
    { id },
  ],
  'Mutation.deleteDocument(id)': (id) => ['mutation ($id: ID!) { deleteDocument(id: $id) }', { id }],
  'Query.documentStorage(memberId)': (id) => [
    'query ($id: ID!) { documentStorage(memberId: $id) { documents } }',
    { id },
  ],
  'Query.document(id)': (id) => ['query ($id: ID!) { document(id: $id) { id name url } }', { id }],
  'Mutation.updateConversation(input.id)': (id) => [
    'mutation ($id: ID!) { updateConversation(input: { id: $id, pinned: true }) { id title } }',
    { id },
  ],
  'Subscription.conversationChanged(id)': (id) => [
    'subscription ($id: ID!) { conversationChanged(id: $id) { id title } }',
    { id },
  ],
  'Subscription.documentProgress(documentId)': (id) => [
    'subscription ($id: ID!) { documentProgress(documentId: $id) { id name } }',
    { id },
  ],
  'Mutation.deleteFile(id)': (id) => ['mutation ($id: ID!) { deleteFile(id: $id) }', { id }],
  'Mutation.deleteConversation(id)': (id) => ['mutation ($id: ID!) { deleteConversation(id: $id) }', { id }],
  'Mutation.deleteConversations(ids)': (id) => [
    'mutation ($id: ID!) { deleteConversations(ids: [$id]) }',
    { id },
  ],
  'Mutation.deleteSkillRecord(id)': (id) => ['mutation ($id: ID!) { deleteSkillRecord(id: $id) }', { id }],
  'Mutation.deleteWebhook(id)': (id) => ['mutation ($id: ID!) { deleteWebhook(id: $id) }', { id }],
  'Mutation.eraseMember(id)': (id) => ['mutation ($id: ID!) { eraseMember(id: $id) }', { id }],
  'Mutation.forget(id)': (id) => ['mutation ($id: ID!) { forget(id: $id) }', { id }],
  'Mutation.markNotificationRead(id)': (id) => [
    'mutation ($id: ID!) { markNotificationRead(id: $id) { id } }',
    { id },
  ],
  'Mutation.answerInput(input.approval.approvalId)': (approvalId) =>
    answering({ approval: { approvalId, approve: true, arguments: { city: 'Thiès' }, comment: 'Oui.' } }),
  'Mutation.answerInput(input.clientSkill.id)': (id) => answering({ clientSkill: { id, result: [1] } }),
  'Mutation.answerInput(input.mcp.id)': (id) => answering({ mcp: { id, declined: true } }),
  'Mutation.answerInput(input.question.id)': (id) =>
    answering({ question: { id, value: { answer: 'Oui' } } }),
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
  'Mutation.deleteApiKey(id)': (id) => ['mutation ($id: ID!) { deleteApiKey(id: $id) }', { id }],
  'Mutation.setQuota(input.memberId)': (memberId) => [
    'mutation ($input: SetQuotaInput!) { setQuota(input: $input) { subject memberId } }',
    { input: { subject: 'MEMBER', memberId, period: 'DAY', maxTokens: 1 } },
  ],
  'Mutation.setWebhookActive(id)': (id) => [
    'mutation ($id: ID!) { setWebhookActive(id: $id, active: false) { id url } }',
    { id },
  ],
  'Mutation.createSchedule(input.conversationId)': (conversationId) => [
    'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }',
    { input: { conversationId, message: 'Et moi ?', when: { cron: '@yearly' } } },
  ],
  'Mutation.updateSchedule(input.id)': (id) => [
    'mutation ($id: ID!) { updateSchedule(input: { id: $id, message: "Et moi ?" }) { id message } }',
    { id },
  ],
  'Mutation.setScheduleActive(id)': (id) => [
    'mutation ($id: ID!) { setScheduleActive(id: $id, active: false) { id } }',
    { id },
  ],
  'Mutation.runSchedule(id)': (id) => ['mutation ($id: ID!) { runSchedule(id: $id) { __typename } }', { id }],
  'Mutation.deleteSchedule(id)': (id) => ['mutation ($id: ID!) { deleteSchedule(id: $id) }', { id }],
  'Mutation.startTurn(input.attachmentIds)': (id) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { assistantKey: 'mefali', message: 'Et moi ?', attachmentIds: [id] } },
  ],
  'Mutation.createAttachmentUpload(input.conversationId)': (conversationId) => [
    'mutation ($input: CreateAttachmentUploadInput!) { createAttachmentUpload(input: $input) { url } }',
    { input: { name: 'a.txt', mediaType: 'text/plain', bytes: 1, conversationId } },
  ],
  'Query.attachment(id)': (id) => ['query ($id: ID!) { attachment(id: $id) { id name url } }', { id }],
  'Mutation.updateDocument(id)': (id) => [
    'mutation ($id: ID!) { updateDocument(id: $id, scope: COMPANY) { id } }',
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
  'Mutation.startTurn(input.parentId)': (parentId) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { parentId, message: 'Et moi ?' } },
  ],
  'Mutation.startTurn(input.replacesMessageId)': (replacesMessageId) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { replacesMessageId, message: 'Et moi ?' } },
  ],
  'Mutation.regenerate(input.messageId)': (messageId) => [
    'mutation ($input: RegenerateInput!) { regenerate(input: $input) { __typename } }',
    { input: { messageId } },
  ],
  'Mutation.selectMessage(id)': (id) => ['mutation ($id: ID!) { selectMessage(id: $id) { id } }', { id }],
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

/** A subscription for every field of Subscription that takes no id. They tell nothing when they begin. */
export const follows: Record<string, string> = {
  conversationDeleted: 'subscription { conversationDeleted }',
  conversationsChanged: 'subscription { conversationsChanged { id } }',
  notificationAdded: 'subscription { notificationAdded { id } }',
};

const year = new Date().getUTCFullYear();

/** A query for every field of Query that takes no id: a new one has to be added here. */
export const shows: Record<string, string> = {
  apiKeys: '{ apiKeys(first: 100) { edges { node { id memberId name } } } }',
  assistant: '{ assistant(key: "mefali") { id prompt { template } promptHistory { template } } }',
  assistants: '{ assistants { id prompt { template } promptHistory { template } skills { id } } }',
  assistantsConnection: '{ assistantsConnection(first: 100) { edges { node { id prompt { template } } } } }',
  auditEntries: '{ auditEntries(first: 100) { edges { node { id memberId memberName subject details } } } }',
  company: '{ company { id name city } }',
  conversations: `{ conversations(first: 2) { edges { node {
    id title activeTurn { id approvals { id } prompts { id messages } }
    messages(first: 10) { edges { node { id text turn { id } } } } } } } }`,
  documents: '{ documents(first: 100) { edges { node { id name url } } } }',
  files: '{ files(first: 100) { edges { node { id name url } } } }',
  mcpServers: '{ mcpServers { id key url } }',
  mcpServersConnection: '{ mcpServersConnection(first: 100) { edges { node { id key url } } } }',
  members: '{ members(first: 100) { edges { node { id name email } } } }',
  memories: '{ memories(first: 100) { edges { node { id subject history { id } } } } }',
  notifications: '{ notifications(first: 100) { edges { node { id body turn { id } } } } }',
  pendingApprovals: '{ pendingApprovals { id turnId arguments } }',
  providers: '{ providers { id key baseUrl hasApiKey models { name } } }',
  quotas: '{ quotas { subject memberId member { id name } } }',
  schedules: `{ schedules(first: 100) { edges { node {
    id memberId message assistant { id } lastTurn { id } runs { edges { node { reason turn { id } } } } } } } }`,
  searchMessages:
    '{ searchMessages(query: "sommes-nous") { message { id text } conversation { id } excerpt } }',
  searchDocuments: '{ searchDocuments(query: "verger") { id text document { id name } } }',
  skillRecords: `{ skillRecords(kind: "footprint", first: 100) { edges { node {
    id subject title content memberName } } } }`,
  skillsConnection: '{ skillsConnection(first: 100) { edges { node { id key } } } }',
  skills: '{ skills { id key } }',
  turns: `{ turns(first: 20) { edges { node {
    id memberId memberName question { id text } skillCalls { id } modelCalls { id messages } conversation { id title } } } } }`,
  usage: `{ usage(from: "${year}-01-01", to: "${year}-12-31", groupBy: [MEMBER]) {
    memberId member { id name } modelCalls } }`,
  viewer: '{ viewer { id company { id name } } }',
  webhooksConnection: '{ webhooksConnection(first: 100) { edges { node { id url } } } }',
  webhooks: '{ webhooks { id url } }',
};

/** What is of the installation, and the same whoever asks. */
export const ofTheInstallation: Record<string, string> = {
  installedMcpServers: '{ installedMcpServers { key state failure tools notes } }',
  refusedPacks: '{ refusedPacks { path reason } }',
  skillRecordKinds: '{ skillRecordKinds { kind plugin description schema } }',
};

/** What has nothing of a company in it but numbers; what it would do is refused, so that all goes on as it was. */
export const withoutTrace: Record<string, string> = {
  companyErasures: '{ companyErasures { id slug } }',
  documentStorage: '{ documentStorage { documents bytes } }',
  // The same as deletePack and deleteProvider, which are tried above.
  removePack: 'mutation { removePack(key: "nothing") }',
  removeProvider: 'mutation { removeProvider(key: "nothing") }',
  // It needs a server that one signs in at: mcp-oauth.e2e-spec has one, and admins of two companies.
  authorizeMcpServer: 'mutation { authorizeMcpServer(input: { key: "nothing" }) { url } }',
  eraseCompany: 'mutation { eraseCompany(slug: "one", confirm: "another") { id } }',
};

function literal(input: object): string {
  return `{ ${Object.entries(input)
    .map(([name, value]) => `${name}: ${name === 'method' ? String(value) : JSON.stringify(value)}`)
    .join(', ')} }`.replaceAll(/"(type|properties)":/g, '$1:');
}

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.invalid/' }],
  paths: {
    '/articles': { get: { operationId: 'listArticles', responses: { 200: { description: 'All.' } } } },
  },
});

/** A mutation for every field of Mutation that takes no id: it says by key what it is of, the same in all companies. */
export const changes: Record<string, string> = {
  archiveAssistant: '{ archiveAssistant(key: "explorateur", archived: true) { id } }',
  copyAssistant: '{ copyAssistant(key: "therese", newKey: "copy", name: "Copie") { id } }',
  createAssistant: `{ createAssistant(input: { key: "own", name: "À nous", language: "fr", strategy: REACTIVE,
    template: "Autre. ${templateVariables.map((name) => `{${name}}`).join(' ')}" }) { id } }`,
  createApiKey: '{ createApiKey(input: { name: "ERP" }) { secret } }',
  createDocumentUpload: `{ createDocumentUpload(input: {
    name: "a.txt", mediaType: "text/plain", bytes: 1 }) { url } }`,
  createSkillUpload: '{ createSkillUpload(input: { name: "packs.zip", bytes: 10 }) { url } }',
  createWebhook: '{ createWebhook(input: { url: "https://other.invalid/" }) { secret } }',
  exportMyData: '{ exportMyData { id } }',
  importConversation: IMPORT.replace('mutation', ''),
  importOpenApi: `{ importOpenApi(input: {
    document: ${JSON.stringify(document)}, operations: ["listArticles"] }) { id } }`,
  importOpenApiOperations: `{ importOpenApiOperations(input: {
    document: ${JSON.stringify(document)}, prefix: "more", operations: ["listArticles"] }) { skills { id } } }`,
  markAllNotificationsRead: '{ markAllNotificationsRead }',
  publishPrompt: `{ publishPrompt(assistantKey: "mefali",
    template: "Autre. ${templateVariables.map((name) => `{${name}}`).join(' ')}") { version } }`,
  deauthorizeMcpServer: '{ deauthorizeMcpServer(key: "stock") { id authorization } }',
  refreshMcpServer: '{ refreshMcpServer(key: "stock") { id } }',
  registerHttpSkill: `{ registerHttpSkill(input: ${literal(ownSkill('get_new'))}) { id } }`,
  registerMcpServer: `{ registerMcpServer(input: { key: "new", url: "https://new.invalid/mcp" }) { id } }`,
  remember: '{ remember(input: { kind: FACT, subject: "Thé", content: "Plutôt vert." }) { id } }',
  deleteHttpSkill: '{ deleteHttpSkill(key: "get_new") }',
  deleteMcpServer: '{ deleteMcpServer(key: "new") }',
  removeHttpSkill: '{ removeHttpSkill(key: "get_item") }',
  removeMcpServer: '{ removeMcpServer(key: "stock") }',
  deletePack: '{ deletePack(key: "acta") }',
  setProvider: '{ setProvider(input: { key: "ours", baseUrl: "https://models.invalid/v2" }) { id } }',
  testProvider: '{ testProvider(key: "ours", model: "m") { ok message } }',
  deleteProvider: '{ deleteProvider(key: "ours") }',
  rollbackPrompt: '{ rollbackPrompt(assistantKey: "mefali", version: 0) { version } }',
  setQuota: '{ setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 2000000 }) { subject } }',
  setSkillAccess: '{ setSkillAccess(key: "get_company_profile", leastRole: ADMIN) { id } }',
  setSkillActive: '{ setSkillActive(key: "get_company_profile", active: false) { id } }',
  setSkillApproval: '{ setSkillApproval(key: "update_company_profile", required: false) { id } }',
  setSkillExposed: '{ setSkillExposed(key: "get_company_profile", exposed: true) { id } }',
  tryHttpSkill: '{ tryHttpSkill(key: "get_other", arguments: {}) { error } }',
  updateAssistant: '{ updateAssistant(key: "mefali", input: { name: "Autre" }) { id } }',
  updateCompany: '{ updateCompany(input: { city: "Lomé" }) { id } }',
  // Last, for Bob is somebody else afterwards.
  eraseMyData: '{ eraseMyData }',
};

/** Mutations that only look at what they are given. */
export const changesNothing: Record<string, string> = {
  previewOpenApiImport: `{ previewOpenApiImport(input: { document: ${JSON.stringify(document)} }) { title } }`,
};

/** Where the API takes an argument that is meant, by its own name and its type’s: `Type.field(path.of.the.argument)`. */
export function argumentPaths(
  schema: GraphQLSchema,
  isMeant: (name: string, type: string) => boolean,
): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields()).flatMap((field) =>
        field.args
          .flatMap((argument) => pathsIn(argument, isMeant))
          .map((path) => `${type.name}.${field.name}(${path})`),
      ),
    );
}

export function idArguments(schema: GraphQLSchema): string[] {
  return argumentPaths(schema, isId);
}

function isId(_: string, type: string): boolean {
  return type === 'ID';
}

function pathsIn(
  { name, type }: GraphQLArgument | GraphQLInputField,
  isMeant: (name: string, type: string) => boolean,
): string[] {
  const named = getNamedType(type);
  if (isMeant(name, named.name)) return [name];
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    pathsIn(field, isMeant).map((path) => `${name}.${path}`),
  );
}

/** The fields of a root type, but for those that have no way to be asked without an id. */
export function fieldsWithoutId(type: GraphQLObjectType | null | undefined): string[] {
  return Object.values(type?.getFields() ?? {})
    .filter(({ args }) => args.every((argument) => pathsIn(argument, isId).length === 0))
    .map(({ name }) => name);
}
