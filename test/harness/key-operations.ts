import type { GraphQLSchema } from 'graphql';

import { newId } from '../../src/common/ids.js';
import { templateVariables } from '../../src/companies/assistants/prompt-template.js';
import { argumentPaths } from './api-operations.js';
import { ownSkill } from './two-companies.js';

type Operation = [operation: string, variables: Record<string, unknown>];

const TEMPLATE = templateVariables.map((name) => `{${name}}`).join(' ');

function byKeyAlone(field: string, more: string, selected = ''): (key: string) => Operation {
  return (key) => [`mutation ($key: String!) { ${field}(key: $key${more}) ${selected} }`, { key }];
}

function question(input: object): Operation {
  return ['mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }', { input }];
}

function change(input: object): Operation {
  return [
    'mutation ($input: UpdateAssistantInput!) { updateAssistant(key: "mefali", input: $input) { key model } }',
    { input },
  ];
}

function newAssistant(input: object): Operation {
  const all = {
    key: 'new',
    name: 'Autre',
    language: 'fr',
    strategy: 'REACTIVE',
    template: TEMPLATE,
    ...input,
  };
  return [
    'mutation ($input: CreateAssistantInput!) { createAssistant(input: $input) { name model } }',
    { input: all },
  ];
}

/** How to name what there is, or is not, by its key: a new argument that does so has to be added here. */
export const byKey: Record<string, (key: string, ownMessage?: string) => Operation> = {
  'Query.assistant(key)': (key) => ['query ($key: String!) { assistant(key: $key) { name } }', { key }],
  'Query.conversations(filter.assistantKey)': (key) => [
    'query ($key: String!) { conversations(filter: { assistantKey: $key }) { edges { node { title } } } }',
    { key },
  ],
  'Query.memoryContext(assistantKey)': (key) => [
    'query ($key: String!) { memoryContext(assistantKey: $key, message: "Et moi ?") { text } }',
    { key },
  ],
  'Query.turns(filter.assistantKey)': (key) => [
    'query ($key: String!) { turns(filter: { assistantKey: $key }) { edges { node { id } } } }',
    { key },
  ],
  'Mutation.archiveAssistant(key)': byKeyAlone('archiveAssistant', ', archived: true', '{ name }'),
  'Mutation.authorizeMcpServer(input.key)': (key) => [
    'mutation ($input: AuthorizeMcpServerInput!) { authorizeMcpServer(input: $input) { url } }',
    { input: { key } },
  ],
  'Mutation.copyAssistant(key)': byKeyAlone('copyAssistant', ', newKey: "copy", name: "Copie"', '{ name }'),
  'Mutation.createAssistant(input.skills)': (key) => newAssistant({ skills: [key] }),
  'Mutation.createSchedule(input.assistantKey)': (assistantKey) => [
    'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { message } }',
    { input: { assistantKey, message: 'Et moi ?', when: { cron: '@yearly' } } },
  ],
  'Mutation.deauthorizeMcpServer(key)': byKeyAlone('deauthorizeMcpServer', '', '{ url }'),
  'Mutation.deleteHttpSkill(key)': byKeyAlone('deleteHttpSkill', ''),
  'Mutation.deleteMcpServer(key)': byKeyAlone('deleteMcpServer', ''),
  'Mutation.deletePack(key)': byKeyAlone('deletePack', ''),
  'Mutation.deleteProvider(key)': byKeyAlone('deleteProvider', ''),
  'Mutation.importConversation(input.assistantKey)': (assistantKey) => [
    'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { title } }',
    {
      input: {
        assistantKey,
        title: 'Avant',
        messages: [{ role: 'USER', text: 'Bonjour.', createdAt: '2024-01-01T00:00:00Z' }],
      },
    },
  ],
  'Mutation.publishPrompt(assistantKey)': (key) => [
    `mutation ($key: String!) { publishPrompt(assistantKey: $key, template: "${TEMPLATE}") { version } }`,
    { key },
  ],
  'Mutation.refreshMcpServer(key)': byKeyAlone('refreshMcpServer', '', '{ url }'),
  'Mutation.regenerate(input.assistantKey)': (assistantKey, messageId) => [
    'mutation ($input: RegenerateInput!) { regenerate(input: $input) { __typename } }',
    { input: { assistantKey, messageId } },
  ],
  'Mutation.removeHttpSkill(key)': byKeyAlone('removeHttpSkill', ''),
  'Mutation.removeMcpServer(key)': byKeyAlone('removeMcpServer', ''),
  'Mutation.removePack(key)': byKeyAlone('removePack', ''),
  'Mutation.removeProvider(key)': byKeyAlone('removeProvider', ''),
  'Mutation.rollbackPrompt(assistantKey)': (key) => [
    'mutation ($key: String!) { rollbackPrompt(assistantKey: $key, version: 0) { version } }',
    { key },
  ],
  'Mutation.setQuota(input.provider)': (provider) => [
    'mutation ($input: SetQuotaInput!) { setQuota(input: $input) { subject } }',
    { input: { subject: 'COMPANY', period: 'MONTH', maxTokens: 1, provider } },
  ],
  'Mutation.setSkillAccess(assistants)': (key) => [
    `mutation ($key: String!) {
       setSkillAccess(key: "get_company_profile", assistants: [$key], leastRole: MEMBER) { name } }`,
    { key },
  ],
  'Mutation.setSkillAccess(key)': byKeyAlone('setSkillAccess', ', leastRole: ADMIN', '{ name }'),
  'Mutation.setSkillActive(key)': byKeyAlone('setSkillActive', ', active: false', '{ name }'),
  'Mutation.setSkillApproval(key)': byKeyAlone('setSkillApproval', ', required: true', '{ name }'),
  'Mutation.setSkillExposed(key)': byKeyAlone('setSkillExposed', ', exposed: true', '{ name }'),
  'Mutation.startTurn(input.assistantKey)': (assistantKey) => question({ assistantKey, message: 'Et moi ?' }),
  'Mutation.testProvider(key)': byKeyAlone('testProvider', '', '{ ok message }'),
  'Mutation.tryHttpSkill(key)': byKeyAlone('tryHttpSkill', ', arguments: {}', '{ error }'),
  'Mutation.updateAssistant(input.skills)': (key) => change({ skills: [key] }),
  'Mutation.updateAssistant(key)': byKeyAlone('updateAssistant', ', input: { name: "Autre" }', '{ name }'),
};

/** How to give a key that nothing needs to have, and something of others’ may have. */
export const withNewKey: Record<string, (key: string) => Operation> = {
  'Mutation.copyAssistant(newKey)': (newKey) => [
    'mutation ($newKey: String!) { copyAssistant(key: "mefali", newKey: $newKey, name: "Copie") { key } }',
    { newKey },
  ],
  'Mutation.createAssistant(input.key)': (key) => newAssistant({ key }),
  // What names no provider of the company’s is a model of the installation’s.
  'Mutation.createAssistant(input.model)': (key) =>
    newAssistant({ key: `a${newId().slice(-12)}`, model: `${key}/m` }),
  'Mutation.updateAssistant(input.model)': (key) => change({ model: `${key}/m` }),
  'Mutation.registerHttpSkill(input.key)': (key) => [
    'mutation ($input: RegisterHttpSkillInput!) { registerHttpSkill(input: $input) { key } }',
    { input: ownSkill(key) },
  ],
  'Mutation.registerMcpServer(input.key)': (key) => [
    'mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { key } }',
    { input: { key, url: 'https://new.invalid/mcp' } },
  ],
  'Mutation.setProvider(input.key)': (key) => [
    'mutation ($input: SetProviderInput!) { setProvider(input: $input) { key } }',
    { input: { key, baseUrl: 'https://models.invalid/v1' } },
  ],
  // It is looked at first, so that no turn begins.
  'Mutation.startTurn(input.clientSkills.key)': (key) =>
    question({
      assistantKey: 'nobody',
      message: 'Et moi ?',
      clientSkills: [{ key, description: 'Does something.', parameters: { type: 'object' } }],
    }),
};

/** Arguments that name something by its key. */
const NAMES_BY_KEY = /^(key|\w+Key|assistants|skills|provider|model)$/;

/** A secret, marks of a client’s own, and a name that a provider has given. */
const ARE_NO_KEYS = new Set([
  'Mutation.setProvider(input.apiKey)',
  'Mutation.startTurn(input.idempotencyKey)',
  'Mutation.regenerate(input.idempotencyKey)',
  'Mutation.testProvider(model)',
]);

export function keyArguments(schema: GraphQLSchema): string[] {
  return argumentPaths(schema, (name, type) => type === 'String' && NAMES_BY_KEY.test(name)).filter(
    (path) => !ARE_NO_KEYS.has(path),
  );
}
