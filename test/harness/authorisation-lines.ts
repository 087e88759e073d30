import { type ApiKeyScope, type Role, roles } from '../../src/companies/auth/viewer.js';

/** What there is of each kind in the two companies of the matrix: see AuthorisationObjects. */
export type ObjectKind =
  | 'apiKey'
  | 'approval'
  | 'assistant'
  | 'attachment'
  | 'auditEntry'
  | 'clientSkillCall'
  | 'company'
  | 'conversation'
  | 'document'
  | 'file'
  | 'mcpInput'
  | 'mcpServer'
  | 'member'
  | 'memory'
  | 'message'
  | 'notification'
  | 'provider'
  | 'question'
  | 'schedule'
  | 'skill'
  | 'skillRecord'
  | 'turn'
  | 'webhook';

/** Whose objects an id may name: the asker's own, or all of the company, and whether that depends on the role. */
export type Reach = 'own' | 'company' | 'own, or the company for admins' | 'the company for admins';

/** Who may do what: what the matrix expects, and what docs/authorisation.md says. */
export interface Line {
  /** `Query.turn(id)`: the operation, with the argument that takes an id; `Query.node(id): Turn` for a Node. */
  operation: string;
  role: Role;
  /** One of them is enough for an API key. */
  scopes: ApiKeyScope[];
  object: { kind: ObjectKind; reach: Reach } | null;
}

const all = 'READ TURNS DOCUMENTS SKILLS ADMIN SPEAK_FOR_OTHERS';

function line(operation: string, role: Line['role'], scopes: string, kind?: ObjectKind, reach?: Reach): Line {
  return {
    operation,
    role,
    scopes: scopes.split(' ') as ApiKeyScope[],
    object: kind && reach ? { kind, reach } : null,
  };
}

/** A new operation, a new argument that takes an id and a new Node each need a line here, or a test fails. */
export const lines: readonly Line[] = [
  line('Query.apiKeys', 'ADMIN', 'READ ADMIN'),
  line('Query.assistant', 'MEMBER', 'READ TURNS'),
  line('Query.assistants', 'MEMBER', 'READ TURNS'),
  line('Query.assistantsConnection', 'MEMBER', 'READ TURNS'),
  line('Query.attachment(id)', 'MEMBER', 'READ TURNS', 'attachment', 'own'),
  line('Query.auditEntries', 'ADMIN', 'READ ADMIN'),
  line('Query.company', 'MEMBER', all),
  line('Query.companyErasures', 'OPERATOR', 'READ ADMIN'),
  line('Query.conversation(id)', 'MEMBER', 'READ TURNS', 'conversation', 'own'),
  line('Query.conversations', 'MEMBER', 'READ TURNS'),
  line('Query.document(id)', 'MEMBER', 'READ DOCUMENTS', 'document', 'company'),
  line('Query.documentStorage', 'ADMIN', 'READ DOCUMENTS'),
  // Of a member’s own, each member is told too.
  line('Query.documentStorage(memberId)', 'ADMIN', 'READ DOCUMENTS', 'member', 'company'),
  line('Query.documents', 'MEMBER', 'READ DOCUMENTS'),
  line('Query.files', 'MEMBER', 'READ TURNS'),
  line('Query.installedMcpServers', 'ADMIN', 'READ SKILLS'),
  line('Query.mcpServers', 'ADMIN', 'READ SKILLS'),
  line('Query.mcpServersConnection', 'ADMIN', 'READ SKILLS'),
  line('Query.members', 'ADMIN', 'READ ADMIN'),
  line('Query.memories', 'MEMBER', 'READ TURNS'),
  line('Query.memoryContext(conversationId)', 'MEMBER', 'READ TURNS', 'conversation', 'own'),
  line('Query.node(id): ApiKey', 'MEMBER', 'READ', 'apiKey', 'the company for admins'),
  line('Query.node(id): Approval', 'MEMBER', 'READ', 'approval', 'own, or the company for admins'),
  line('Query.node(id): Assistant', 'MEMBER', 'READ', 'assistant', 'company'),
  line('Query.node(id): Attachment', 'MEMBER', 'READ', 'attachment', 'own'),
  line('Query.node(id): AuditEntry', 'MEMBER', 'READ', 'auditEntry', 'the company for admins'),
  line('Query.node(id): ClientSkillCall', 'MEMBER', 'READ', 'clientSkillCall', 'own'),
  line('Query.node(id): Company', 'MEMBER', 'READ', 'company', 'company'),
  line('Query.node(id): Conversation', 'MEMBER', 'READ', 'conversation', 'own'),
  line('Query.node(id): Document', 'MEMBER', 'READ', 'document', 'company'),
  line('Query.node(id): File', 'MEMBER', 'READ', 'file', 'own'),
  line('Query.node(id): McpInputRequest', 'MEMBER', 'READ', 'mcpInput', 'own'),
  line('Query.node(id): McpServer', 'MEMBER', 'READ', 'mcpServer', 'the company for admins'),
  line('Query.node(id): Member', 'MEMBER', 'READ', 'member', 'the company for admins'),
  line('Query.node(id): Memory', 'MEMBER', 'READ', 'memory', 'own'),
  line('Query.node(id): Message', 'MEMBER', 'READ', 'message', 'own'),
  line('Query.node(id): Notification', 'MEMBER', 'READ', 'notification', 'own'),
  line('Query.node(id): Provider', 'MEMBER', 'READ', 'provider', 'the company for admins'),
  line('Query.node(id): Question', 'MEMBER', 'READ', 'question', 'own'),
  line('Query.node(id): Schedule', 'MEMBER', 'READ', 'schedule', 'own, or the company for admins'),
  line('Query.node(id): Skill', 'MEMBER', 'READ', 'skill', 'company'),
  line('Query.node(id): SkillRecord', 'MEMBER', 'READ', 'skillRecord', 'company'),
  line('Query.node(id): Turn', 'MEMBER', 'READ', 'turn', 'own'),
  line('Query.node(id): Webhook', 'MEMBER', 'READ', 'webhook', 'the company for admins'),
  line('Query.notifications', 'MEMBER', 'READ TURNS'),
  line('Query.pendingApprovals', 'MEMBER', 'READ TURNS'),
  line('Query.pendingInputs(turnId)', 'MEMBER', 'READ TURNS', 'turn', 'own, or the company for admins'),
  line('Query.providers', 'ADMIN', 'READ ADMIN'),
  line('Query.quotas', 'ADMIN', 'READ ADMIN'),
  line('Query.refusedPacks', 'ADMIN', 'READ SKILLS'),
  line('Query.schedules', 'MEMBER', 'READ TURNS'),
  line('Query.searchMessages', 'MEMBER', 'READ TURNS'),
  line('Query.searchDocuments', 'MEMBER', 'READ DOCUMENTS'),
  line('Query.skillRecordKinds', 'MEMBER', 'READ TURNS'),
  line('Query.skillRecords', 'MEMBER', 'READ TURNS'),
  line('Query.skills', 'MEMBER', 'READ SKILLS'),
  line('Query.skillsConnection', 'MEMBER', 'READ SKILLS'),
  line('Query.turn(id)', 'MEMBER', 'READ TURNS', 'turn', 'own'),
  line('Query.turns', 'ADMIN', 'READ ADMIN'),
  line('Query.turns(filter.memberId)', 'ADMIN', 'READ ADMIN', 'member', 'company'),
  line('Query.usage', 'ADMIN', 'READ ADMIN'),
  line('Query.viewer', 'MEMBER', all),
  line('Query.webhooks', 'ADMIN', 'READ ADMIN'),
  line('Query.webhooksConnection', 'ADMIN', 'READ ADMIN'),
  line(
    'Mutation.answerInput(input.approval.approvalId)',
    'MEMBER',
    'TURNS',
    'approval',
    'own, or the company for admins',
  ),
  line('Mutation.answerInput(input.clientSkill.id)', 'MEMBER', 'TURNS', 'clientSkillCall', 'own'),
  line('Mutation.answerInput(input.mcp.id)', 'MEMBER', 'TURNS', 'mcpInput', 'own'),
  line('Mutation.answerInput(input.question.id)', 'MEMBER', 'TURNS', 'question', 'own'),
  line('Mutation.archiveAssistant', 'ADMIN', 'ADMIN'),
  line('Mutation.authorizeMcpServer', 'ADMIN', 'SKILLS'),
  line('Mutation.cancelTurn(id)', 'MEMBER', 'TURNS', 'turn', 'own'),
  line('Mutation.copyAssistant', 'ADMIN', 'ADMIN'),
  line('Mutation.createApiKey', 'ADMIN', 'ADMIN'),
  line('Mutation.createAssistant', 'ADMIN', 'ADMIN'),
  line('Mutation.createAttachmentUpload(input.conversationId)', 'MEMBER', 'TURNS', 'conversation', 'own'),
  line('Mutation.createDocumentUpload', 'MEMBER', 'DOCUMENTS'),
  line('Mutation.createSchedule(input.conversationId)', 'MEMBER', 'TURNS', 'conversation', 'own'),
  line('Mutation.createSkillUpload', 'ADMIN', 'SKILLS'),
  line('Mutation.createWebhook', 'ADMIN', 'ADMIN'),
  line('Mutation.deactivateMember(id)', 'ADMIN', 'ADMIN', 'member', 'company'),
  line('Mutation.deauthorizeMcpServer', 'ADMIN', 'SKILLS'),
  line('Mutation.deleteApiKey(id)', 'ADMIN', 'ADMIN', 'apiKey', 'company'),
  line('Mutation.deleteConversation(id)', 'MEMBER', 'ADMIN', 'conversation', 'own'),
  line('Mutation.deleteConversations(ids)', 'MEMBER', 'ADMIN', 'conversation', 'own'),
  line('Mutation.deleteDocument(id)', 'MEMBER', 'ADMIN', 'document', 'own, or the company for admins'),
  line('Mutation.deleteFile(id)', 'MEMBER', 'ADMIN', 'file', 'own'),
  line('Mutation.deleteHttpSkill', 'ADMIN', 'ADMIN'),
  line('Mutation.deleteMcpServer', 'ADMIN', 'ADMIN'),
  line('Mutation.deletePack', 'ADMIN', 'ADMIN'),
  line('Mutation.deleteProvider', 'ADMIN', 'ADMIN'),
  line('Mutation.deleteSchedule(id)', 'MEMBER', 'ADMIN', 'schedule', 'own, or the company for admins'),
  line('Mutation.deleteSkillRecord(id)', 'ADMIN', 'ADMIN', 'skillRecord', 'company'),
  line('Mutation.deleteWebhook(id)', 'ADMIN', 'ADMIN', 'webhook', 'company'),
  line('Mutation.eraseCompany', 'OPERATOR', 'ADMIN'),
  line('Mutation.eraseMember(id)', 'ADMIN', 'ADMIN', 'member', 'company'),
  line('Mutation.eraseMyData', 'MEMBER', 'ADMIN'),
  line('Mutation.exportMyData', 'MEMBER', 'READ'),
  line('Mutation.forget(id)', 'MEMBER', 'ADMIN', 'memory', 'own'),
  line('Mutation.importConversation', 'MEMBER', 'TURNS'),
  line('Mutation.importOpenApi', 'ADMIN', 'SKILLS'),
  line('Mutation.importOpenApiOperations', 'ADMIN', 'SKILLS'),
  line('Mutation.markAllNotificationsRead', 'MEMBER', 'TURNS'),
  line('Mutation.markNotificationRead(id)', 'MEMBER', 'TURNS', 'notification', 'own'),
  line('Mutation.pinProject(conversationId)', 'MEMBER', 'TURNS', 'conversation', 'own'),
  line('Mutation.pinProject(memoryId)', 'MEMBER', 'TURNS', 'memory', 'own'),
  line('Mutation.previewOpenApiImport', 'ADMIN', 'SKILLS'),
  line('Mutation.publishPrompt', 'ADMIN', 'ADMIN'),
  line('Mutation.reactivateMember(id)', 'ADMIN', 'ADMIN', 'member', 'company'),
  line('Mutation.refreshMcpServer', 'ADMIN', 'SKILLS'),
  line('Mutation.regenerate(input.messageId)', 'MEMBER', 'TURNS', 'message', 'own'),
  line('Mutation.registerHttpSkill', 'ADMIN', 'SKILLS'),
  line('Mutation.registerMcpServer', 'ADMIN', 'SKILLS'),
  line('Mutation.remember', 'MEMBER', 'TURNS'),
  line('Mutation.removeHttpSkill', 'ADMIN', 'ADMIN'),
  line('Mutation.removeMcpServer', 'ADMIN', 'ADMIN'),
  line('Mutation.removePack', 'ADMIN', 'ADMIN'),
  line('Mutation.removeProvider', 'ADMIN', 'ADMIN'),
  line(
    'Mutation.resolveApproval(input.approvalId)',
    'MEMBER',
    'TURNS',
    'approval',
    'own, or the company for admins',
  ),
  line('Mutation.revokeApiKey(id)', 'ADMIN', 'ADMIN', 'apiKey', 'company'),
  line('Mutation.rollbackPrompt', 'ADMIN', 'ADMIN'),
  line('Mutation.runSchedule(id)', 'MEMBER', 'TURNS', 'schedule', 'own'),
  line('Mutation.selectMessage(id)', 'MEMBER', 'TURNS', 'message', 'own'),
  line('Mutation.setProvider', 'ADMIN', 'ADMIN'),
  line('Mutation.setQuota', 'ADMIN', 'ADMIN'),
  line('Mutation.setQuota(input.memberId)', 'ADMIN', 'ADMIN', 'member', 'company'),
  line('Mutation.setScheduleActive(id)', 'MEMBER', 'TURNS', 'schedule', 'own, or the company for admins'),
  line('Mutation.setSkillAccess', 'ADMIN', 'SKILLS'),
  line('Mutation.setSkillActive', 'ADMIN', 'SKILLS'),
  line('Mutation.setSkillApproval', 'ADMIN', 'SKILLS'),
  line('Mutation.setSkillExposed', 'ADMIN', 'SKILLS'),
  line('Mutation.setWebhookActive(id)', 'ADMIN', 'ADMIN', 'webhook', 'company'),
  line('Mutation.showTurn(id)', 'ADMIN', 'ADMIN', 'turn', 'company'),
  line('Mutation.startTurn(input.attachmentIds)', 'MEMBER', 'TURNS', 'attachment', 'own'),
  line('Mutation.startTurn(input.conversationId)', 'MEMBER', 'TURNS', 'conversation', 'own'),
  line('Mutation.startTurn(input.documentIds)', 'MEMBER', 'TURNS', 'document', 'company'),
  line('Mutation.startTurn(input.parentId)', 'MEMBER', 'TURNS', 'message', 'own'),
  line('Mutation.startTurn(input.replacesMessageId)', 'MEMBER', 'TURNS', 'message', 'own'),
  line('Mutation.testProvider', 'ADMIN', 'ADMIN'),
  line('Mutation.testWebhook(id)', 'ADMIN', 'ADMIN', 'webhook', 'company'),
  line('Mutation.tryHttpSkill', 'ADMIN', 'SKILLS'),
  line('Mutation.updateAssistant', 'ADMIN', 'ADMIN'),
  line('Mutation.updateCompany', 'ADMIN', 'ADMIN'),
  line('Mutation.updateConversation(input.id)', 'MEMBER', 'TURNS', 'conversation', 'own'),
  line('Mutation.updateDocument(id)', 'ADMIN', 'DOCUMENTS', 'document', 'company'),
  line('Mutation.updateMemory(id)', 'MEMBER', 'TURNS', 'memory', 'own'),
  line('Mutation.updateSchedule(input.id)', 'MEMBER', 'TURNS', 'schedule', 'own'),
  line('Subscription.conversationChanged(id)', 'MEMBER', 'READ TURNS', 'conversation', 'own'),
  line('Subscription.conversationDeleted', 'MEMBER', 'READ TURNS'),
  line('Subscription.conversationsChanged', 'MEMBER', 'READ TURNS'),
  line('Subscription.documentProgress(documentId)', 'MEMBER', 'READ DOCUMENTS', 'document', 'company'),
  line('Subscription.notificationAdded', 'MEMBER', 'READ TURNS'),
  line('Subscription.turnEvents(turnId)', 'MEMBER', 'READ TURNS', 'turn', 'own'),
];

/** What an identity meets: it may do it to its own, to all of the company, to nothing that there is, or not at all. */
export type Cell = 'yes' | 'own' | 'company' | 'none' | 'sign in' | 'role' | 'scope';

/** Who the matrix is about. Those without a role are nobody. */
export interface Identity {
  name: string;
  role: Role | null;
  /** Null: a person. */
  scopes: ApiKeyScope[] | null;
}

export const identities = [
  { name: 'no token', role: null, scopes: null },
  { name: 'expired token', role: null, scopes: null },
  { name: 'deactivated', role: null, scopes: null },
  { name: 'MEMBER', role: 'MEMBER', scopes: null },
  { name: 'ADMIN', role: 'ADMIN', scopes: null },
  { name: 'OPERATOR', role: 'OPERATOR', scopes: null },
  { name: 'key: READ', role: 'ADMIN', scopes: ['READ'] },
  { name: 'key: TURNS, DOCUMENTS, SKILLS', role: 'ADMIN', scopes: ['TURNS', 'DOCUMENTS', 'SKILLS'] },
] as const satisfies Identity[];

export function expectedCell({ role, scopes, object }: Line, who: Identity): Cell {
  if (who.role === null) return 'sign in';
  const isAdmin = who.role !== 'MEMBER';
  if (roles.indexOf(who.role) < roles.indexOf(role)) return 'role';
  if (who.scopes !== null && !scopes.some((scope) => who.scopes?.includes(scope))) return 'scope';
  switch (object?.reach) {
    case undefined:
      return 'yes';
    case 'own':
      return 'own';
    case 'company':
      return 'company';
    case 'own, or the company for admins':
      return isAdmin ? 'company' : 'own';
    case 'the company for admins':
      return isAdmin ? 'company' : 'none';
  }
}

const head = `# Who may do what

What each operation of the API answers to whom: asked over HTTP and WebSocket by a test, from the same list that this
page is made of.

- **yes**: it is done, or what is asked for is shown, as far as the asker may see it.
- **own**: where an id is given, it is found if it is the asker's own. **company**: if it is of the company, whoever's it is. **none**: it is not.
- What is not found answers null, or \`NOT_FOUND\`, exactly as an id that never was. **That goes for everything of another company, for everybody, operators included.**
- **sign in**: \`UNAUTHENTICATED\`. **role**: \`FORBIDDEN\`, it is for admins. **scope**: \`FORBIDDEN\`, the API key needs one of the scopes in the last column. Both keys in the table have the role \`ADMIN\`; one with the role \`MEMBER\` may do what both its role and its scopes allow.
- A token that another secret has signed is like one that has expired. A key that was revoked, paused or has expired is too.

`;

/** The page that documents the lines. */
export function authorisationPage(): string {
  const columns = ['', ...identities.map(({ name }) => name), 'scopes'];
  const rows = lines.map((each) => [
    `\`${each.operation}\``,
    ...identities.map((who) => expectedCell(each, who)),
    each.scopes.length === all.split(' ').length ? 'any' : each.scopes.join(' or '),
  ]);
  const table = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${head}${table.join('\n')}\n`;
}
