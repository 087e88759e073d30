import type { GraphQLSchema, GraphQLResolveInfo } from 'graphql';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { GqlExecutionContext, type GqlContextType } from '@nestjs/graphql';

import { type ApiKeyScope, apiKeyScopes, type Viewer } from '../companies/auth/viewer.js';
import type { GraphQLContext } from '../companies/auth/graphql-context.js';
import { DomainError } from '../common/errors/domain-error.js';

type Scopes = readonly ApiKeyScope[];
const read: Scopes = ['READ'];
const turns: Scopes = ['TURNS'];
const documents: Scopes = ['DOCUMENTS'];
const skills: Scopes = ['SKILLS'];
const admin: Scopes = ['ADMIN'];
const readTurns: Scopes = ['READ', 'TURNS'];
const readDocuments: Scopes = ['READ', 'DOCUMENTS'];
const readSkills: Scopes = ['READ', 'SKILLS'];
const readAdmin: Scopes = ['READ', 'ADMIN'];

/** One of these scopes is enough. Deleting needs ADMIN. The server does not start unless every operation is listed. */
const operationScopes: Readonly<Record<string, Readonly<Record<string, Scopes>>>> = {
  Query: {
    apiKeys: readAdmin,
    assistant: readTurns,
    assistants: readTurns,
    assistantsConnection: readTurns,
    attachment: readTurns,
    auditEntries: readAdmin,
    company: apiKeyScopes,
    companyErasures: readAdmin,
    conversation: readTurns,
    conversations: readTurns,
    document: readDocuments,
    documentStorage: readDocuments,
    documents: readDocuments,
    files: readTurns,
    installedMcpServers: readSkills,
    mcpServers: readSkills,
    mcpServersConnection: readSkills,
    members: readAdmin,
    memories: readTurns,
    memoryContext: readTurns,
    node: read,
    notifications: readTurns,
    pendingApprovals: readTurns,
    pendingInputs: readTurns,
    providers: readAdmin,
    quotas: readAdmin,
    refusedPacks: readSkills,
    schedules: readTurns,
    searchDocuments: readDocuments,
    searchMessages: readTurns,
    skillRecordKinds: readTurns,
    skillRecords: readTurns,
    skills: readSkills,
    skillsConnection: readSkills,
    turn: readTurns,
    turns: readAdmin,
    usage: readAdmin,
    viewer: apiKeyScopes,
    webhooks: readAdmin,
    webhooksConnection: readAdmin,
  },
  Mutation: {
    archiveAssistant: admin,
    authorizeMcpServer: skills,
    cancelTurn: turns,
    copyAssistant: admin,
    createApiKey: admin,
    createAssistant: admin,
    createAttachmentUpload: turns,
    createDocumentUpload: documents,
    createSchedule: turns,
    createSkillUpload: skills,
    createWebhook: admin,
    deactivateMember: admin,
    deauthorizeMcpServer: skills,
    deleteApiKey: admin,
    deleteConversation: admin,
    deleteConversations: admin,
    deleteDocument: admin,
    deleteFile: admin,
    deleteHttpSkill: admin,
    deleteMcpServer: admin,
    deletePack: admin,
    deleteProvider: admin,
    deleteSchedule: admin,
    deleteSkillRecord: admin,
    deleteWebhook: admin,
    eraseCompany: admin,
    eraseMember: admin,
    eraseMyData: admin,
    exportMyData: read,
    forget: admin,
    importConversation: turns,
    importOpenApi: skills,
    importOpenApiOperations: skills,
    markAllNotificationsRead: turns,
    markNotificationRead: turns,
    pinProject: turns,
    previewOpenApiImport: skills,
    publishPrompt: admin,
    reactivateMember: admin,
    refreshMcpServer: skills,
    regenerate: turns,
    registerHttpSkill: skills,
    registerMcpServer: skills,
    remember: turns,
    removeHttpSkill: admin,
    removeMcpServer: admin,
    removePack: admin,
    removeProvider: admin,
    resolveApproval: turns,
    answerInput: turns,
    revokeApiKey: admin,
    rollbackPrompt: admin,
    runSchedule: turns,
    selectMessage: turns,
    setProvider: admin,
    setQuota: admin,
    setScheduleActive: turns,
    setSkillAccess: skills,
    setSkillActive: skills,
    setSkillApproval: skills,
    setSkillExposed: skills,
    setWebhookActive: admin,
    showTurn: admin,
    startTurn: turns,
    testProvider: admin,
    testWebhook: admin,
    tryHttpSkill: skills,
    updateAssistant: admin,
    updateCompany: admin,
    updateConversation: turns,
    updateDocument: documents,
    updateMemory: turns,
    updateSchedule: turns,
  },
  Subscription: {
    conversationChanged: readTurns,
    conversationDeleted: readTurns,
    conversationsChanged: readTurns,
    documentProgress: readDocuments,
    notificationAdded: readTurns,
    turnEvents: readTurns,
  },
};

/** Returns the schema. Throws if an operation has no scope, or a listed one does not exist. */
export function requireScopes(schema: GraphQLSchema): GraphQLSchema {
  const named = new Set(
    Object.entries(operationScopes).flatMap(([type, fields]) =>
      Object.keys(fields).map((field) => `${type}.${field}`),
    ),
  );
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const there = new Set(
    roots.flatMap((type) => Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`)),
  );
  const wrong = [...named, ...there].filter((operation) => !named.has(operation) || !there.has(operation));
  if (wrong.length === 0) return schema;
  throw new Error(`operation-scopes.ts has to name every operation, and no other: ${wrong.join(', ')}.`);
}

/** For routers of a subgraph: the same scopes as `node`. */
const subgraphScopes: Readonly<Record<string, Scopes>> = { _service: apiKeyScopes, _entities: read };

function scopesOf(type: string, field: string): Scopes {
  return operationScopes[type]?.[field] ?? subgraphScopes[field] ?? [];
}

/** Whether an API key needs the scope ADMIN for the operation, whatever it does. */
export function isForAdmins(type: string, field: string): boolean {
  return scopesOf(type, field) === admin || scopesOf(type, field) === readAdmin;
}

/** Throws FORBIDDEN for an API key without a scope for the operation. */
export function requireScope({ scopes: held }: Pick<Viewer, 'scopes'>, type: string, field: string): void {
  // A person, not an API key.
  if (held === null) return;
  const scopes = scopesOf(type, field);
  if (scopes.some((scope) => held.includes(scope))) return;
  throw new DomainError(
    'FORBIDDEN',
    `${field} needs the scope ${scopes.join(' or ')}, which this API key does not have.`,
    { scopes },
  );
}

/** Runs after the guard of roles: an API key also needs a scope for the operation. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType<GqlContextType>() !== 'graphql') return true;
    const graphql = GqlExecutionContext.create(context);
    const { viewer } = graphql.getContext<GraphQLContext>();
    const { parentType, fieldName } = graphql.getInfo<GraphQLResolveInfo>();
    requireScope(viewer ?? { scopes: [] }, parentType.name, fieldName);
    return true;
  }
}
