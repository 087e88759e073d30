import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { allowed, resolve, untilWaiting } from '../harness/approval-view.js';
import { progressOf } from '../harness/document-view.js';
import { identityOf, notificationsOf } from '../harness/notification-view.js';
import { spokenIn } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { storeDocument } from '../harness/stored-documents.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';

const NODE = `query ($id: ID!) { node(id: $id) {
  __typename id
  ... on Company { name }
  ... on Assistant { key }
  ... on Conversation { title assistant { key } messages { edges { node { text } } } }
  ... on Message { text turn { id } }
  ... on Turn { status question { text } }
  ... on Skill { key kind }
  ... on Approval { skill arguments answer: status turnId }
  ... on Notification { about: kind turn { id } }
  ... on File { fileName: name mediaType }
  ... on McpServer { serverKey: key url }
  ... on AuditEntry { action subject }
  ... on Memory { about: subject content }
  ... on Attachment { attachmentName: name }
  ... on Document { documentName: name }
  ... on Member { memberName: name role }
  ... on ApiKey { keyName: name }
  ... on Webhook { webhookUrl: url }
  ... on Provider { providerKey: key }
  ... on SkillRecord { subject version }
  ... on Schedule { message due: nextAt }
} }`;

const WAITS = 'Nous sommes à Thiès';

async function nodeOf(client: TestClient, id: string): Promise<unknown> {
  return (await client.get<{ node: unknown }>(NODE, { id })).node;
}

describe('node', () => {
  let app: TestApp;
  let client: TestClient;
  let ids: Record<
    | 'company'
    | 'assistant'
    | 'conversation'
    | 'message'
    | 'turn'
    | 'skill'
    | 'approval'
    | 'question'
    | 'clientSkillCall'
    | 'mcpInput'
    | 'notification'
    | 'file'
    | 'mcpServer'
    | 'auditEntry'
    | 'memory'
    | 'document'
    | 'member'
    | 'apiKey'
    | 'webhook'
    | 'provider'
    | 'attachment'
    | 'skillRecord'
    | 'schedule',
    string
  >;
  let waiting: string;

  /** The turn waits for the same once more, as another kind of input. */
  async function copyAs(id: string, kind: string): Promise<string> {
    const copy = newId();
    await app.database.dataSource.query(
      `INSERT INTO pending_input SELECT (jsonb_populate_record(input, jsonb_build_object('id', $2::text, 'kind', $3::text))).*
       FROM pending_input AS input WHERE id = $1`,
      [id, copy, kind],
    );
    return copy;
  }

  beforeAll(async () => {
    app = await shareApp((request) =>
      spokenIn(request).at(-1)?.endsWith(WAITS)
        ? [toolCall('update_company_profile', { city: 'Thiès' }), finish()]
        : [text('Bonjour.'), finish()],
    );
    client = await app.client();
    await client.get(
      'mutation { setSkillApproval(key: "update_company_profile", required: true, askerMayApprove: true) { id } }',
    );
    ({ turnId: waiting } = await client.ask(WAITS));
    const [approval] = await untilWaiting(client, waiting);
    const asKind = (kind: string): Promise<string> => copyAs(approval!.id, kind);
    const [notification] = (await notificationsOf(client)).edges;
    const { turnId, conversationId } = await client.ask('Salut');
    await client.allEvents(turnId);
    const { registerMcpServer: mcpServer } = await client.get<{ registerMcpServer: { id: string } }>(
      'mutation { registerMcpServer(input: { key: "crm", url: "http://127.0.0.1:9/mcp" }) { id } }',
    );
    const { company, assistant, skills, turn, viewer, auditEntries } = await client.get<{
      viewer: { id: string };
      auditEntries: { edges: { node: { id: string } }[] };
      company: { id: string };
      assistant: { id: string };
      skills: { id: string }[];
      turn: { answer: { id: string } };
    }>(
      `query ($id: ID!) { company { id } assistant(key: "mefali") { id } skills { id } turn(id: $id) { answer { id } }
         viewer { id } auditEntries(first: 1) { edges { node { id } } } }`,
      { id: turnId },
    );
    const { remember: memory } = await client.get<{ remember: { id: string } }>(
      'mutation { remember(input: { kind: FACT, subject: "Thé", content: "Plutôt vert." }) { id } }',
    );
    const { createAttachmentUpload, createApiKey, createWebhook, setProvider, createSchedule } =
      await client.get<{
        createAttachmentUpload: { attachment: { id: string } };
        createApiKey: { apiKey: { id: string } };
        createWebhook: { webhook: { id: string } };
        setProvider: { id: string };
        createSchedule: { id: string };
      }>(
        `mutation { createAttachmentUpload(input: { name: "a.png", mediaType: "image/png", bytes: 9 }) {
           attachment { id } }
         createApiKey(input: { name: "CRM" }) { apiKey { id } }
         setProvider(input: { key: "ours", baseUrl: "https://models.invalid/v1" }) { id }
         createSchedule(input: { assistantKey: "mefali", message: "Et demain ?", when: { at: "2099-01-01T00:00:00Z" } }) {
           id }
         createWebhook(input: { url: "https://hooks.invalid/" }) { webhook { id } } }`,
      );
    const stored = { companyId: company.id, memberId: viewer.id, name: 'notes.md', pages: [] };
    const document = await storeDocument(app, stored);
    const file = newId();
    await app.database.transaction(company.id, (tx) =>
      tx.query(
        `INSERT INTO stored_file (company_id, id, member_id, kind, name, media_type, bytes, sha256, storage_key)
         VALUES ($1, $2, $3, 'REPORT', 'rapport.pdf', 'application/pdf', 3, '', 'rapport')`,
        [company.id, file, viewer.id],
      ),
    );
    const skillRecord = newId();
    await app.database.transaction(company.id, (tx) =>
      tx.query(
        `INSERT INTO skill_record (company_id, id, kind, subject, version, title, content, sources, member_id,
           conversation_id, call_id)
         VALUES ($1, $2, 'footprint', '2025', 1, '12 tCO2e', '{}', '[]', $3, $2, $2)`,
        [company.id, skillRecord, viewer.id],
      ),
    );
    ids = {
      company: company.id,
      assistant: assistant.id,
      conversation: conversationId,
      message: turn.answer.id,
      turn: turnId,
      skill: skills[0]?.id ?? '',
      approval: approval!.id,
      question: await asKind('QUESTION'),
      clientSkillCall: await asKind('CLIENT_SKILL'),
      mcpInput: await asKind('MCP_INPUT'),
      notification: notification!.node.id,
      file,
      mcpServer: mcpServer.id,
      auditEntry: auditEntries.edges[0]!.node.id,
      memory: memory.id,
      attachment: createAttachmentUpload.attachment.id,
      document: document.id,
      member: viewer.id,
      apiKey: createApiKey.apiKey.id,
      webhook: createWebhook.webhook.id,
      provider: setProvider.id,
      skillRecord,
      schedule: createSchedule.id,
    };
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('finds everything that has an id, with all its fields', async () => {
    const { company, assistant, conversation, message, turn, skill, approval, notification } = ids;
    const {
      file,
      mcpServer,
      auditEntry,
      memory,
      attachment,
      document,
      member,
      apiKey,
      webhook,
      provider,
      skillRecord,
      schedule,
    } = ids;
    const { question, clientSkillCall, mcpInput } = ids;
    const found = await Promise.all(Object.values(ids).map((id) => nodeOf(client, id)));
    expect(found).toEqual([
      { __typename: 'Company', id: company, name: expect.any(String) },
      { __typename: 'Assistant', id: assistant, key: 'mefali' },
      {
        __typename: 'Conversation',
        id: conversation,
        title: 'Salut',
        assistant: { key: 'mefali' },
        messages: { edges: [{ node: { text: 'Salut' } }, { node: { text: 'Bonjour.' } }] },
      },
      { __typename: 'Message', id: message, text: 'Bonjour.', turn: { id: turn } },
      { __typename: 'Turn', id: turn, status: 'COMPLETED', question: { text: 'Salut' } },
      { __typename: 'Skill', id: skill, key: 'analyze_document', kind: 'FUNCTION' },
      {
        __typename: 'Approval',
        id: approval,
        skill: 'update_company_profile',
        arguments: { city: 'Thiès' },
        answer: 'PENDING',
        turnId: waiting,
      },
      { __typename: 'Question', id: question },
      { __typename: 'ClientSkillCall', id: clientSkillCall },
      { __typename: 'McpInputRequest', id: mcpInput },
      { __typename: 'Notification', id: notification, about: 'APPROVAL_REQUESTED', turn: { id: waiting } },
      { __typename: 'File', id: file, fileName: 'rapport.pdf', mediaType: 'application/pdf' },
      { __typename: 'McpServer', id: mcpServer, serverKey: 'crm', url: 'http://127.0.0.1:9/mcp' },
      { __typename: 'AuditEntry', id: auditEntry, action: 'mcp-server.registered', subject: 'crm' },
      { __typename: 'Memory', id: memory, about: 'Thé', content: 'Plutôt vert.' },
      { __typename: 'Attachment', id: attachment, attachmentName: 'a.png' },
      { __typename: 'Document', id: document, documentName: 'notes.md' },
      { __typename: 'Member', id: member, memberName: 'ada', role: 'ADMIN' },
      { __typename: 'ApiKey', id: apiKey, keyName: 'CRM' },
      { __typename: 'Webhook', id: webhook, webhookUrl: 'https://hooks.invalid' },
      { __typename: 'Provider', id: provider, providerKey: 'ours' },
      { __typename: 'SkillRecord', id: skillRecord, subject: '2025', version: 1 },
      { __typename: 'Schedule', id: schedule, message: 'Et demain ?', due: '2099-01-01T00:00:00.000Z' },
    ]);
  });

  it('finds every kind of Node that the schema has', async () => {
    const { node } = await client.get<{ node: { possibleTypes: { name: string }[] } }>(
      '{ node: __type(name: "Node") { possibleTypes { name } } }',
    );
    const found = await Promise.all(Object.values(ids).map((id) => nodeOf(client, id)));
    expect(found.map((each) => (each as { __typename: string }).__typename).toSorted()).toEqual(
      node.possibleTypes.map(({ name }) => name).toSorted(),
    );
  });

  it('finds for a colleague what is the company’s, and nothing of the member’s', async () => {
    const colleague = await app.client({ sub: 'bea', role: 'MEMBER' });
    const { conversation, message, turn, approval, question, clientSkillCall, mcpInput, ...notOfTurns } = ids;
    const { notification, ...others } = notOfTurns;
    const {
      file,
      mcpServer,
      auditEntry,
      memory,
      attachment,
      member,
      apiKey,
      webhook,
      provider,
      schedule,
      ...shared
    } = others;
    const ofTurns = [turn, approval, question, clientSkillCall, mcpInput];
    const own = [conversation, message, ...ofTurns, notification, file, memory, attachment, schedule];
    const ofAdmins = [mcpServer, auditEntry, member, apiKey, webhook, provider];
    for (const id of [...own, ...ofAdmins]) expect(await nodeOf(colleague, id)).toBeNull();
    for (const id of Object.values(shared)) expect(await nodeOf(colleague, id)).toMatchObject({ id });
  });

  it('finds for an admin what a colleague’s turn waits for, and nothing else of it', async () => {
    const admin = await app.client({ sub: 'awa', role: 'ADMIN' });
    const { conversation, message, turn, approval, notification, file, memory, attachment } = ids;
    const { question, clientSkillCall, mcpInput } = ids;
    for (const id of [
      conversation,
      message,
      turn,
      question,
      clientSkillCall,
      mcpInput,
      notification,
      file,
      memory,
      attachment,
    ]) {
      expect(await nodeOf(admin, id)).toBeNull();
    }
    expect(await nodeOf(admin, approval)).toMatchObject({ __typename: 'Approval', id: approval });
  });

  it.each(['MEMBER', 'ADMIN', 'OPERATOR'] as const)(
    'finds nothing of another company for %s',
    async (role) => {
      const stranger = await app.client({ company: await app.company(), role });
      for (const id of Object.values(ids)) expect(await nodeOf(stranger, id)).toBeNull();
    },
  );

  it.each(['', 'nonsense', '00000000-0000-0000-0000-000000000000', newId(), '1; DROP TABLE turn', 'é\0'])(
    'is null for %j',
    async (id) => expect(await nodeOf(client, id)).toBeNull(),
  );

  it('needs somebody who asks', async () => {
    expect(await app.clientWith(null).codes(NODE, { id: ids.turn })).toEqual(['UNAUTHENTICATED']);
  });

  /** All ids come in as GraphQL’s type ID; some operations of each kind stand for all of them. */
  describe('by an id in capitals', () => {
    const operations: [operation: string, of: keyof typeof ids][] = [
      ['query ($id: ID!) { conversation(id: $id) { id title } }', 'conversation'],
      ['query ($id: ID!) { turn(id: $id) { id status } }', 'turn'],
      ['query ($id: ID!) { document(id: $id) { id name } }', 'document'],
      [
        'query ($id: ID!) { memoryContext(conversationId: $id, message: "Thé?") { budget text } }',
        'conversation',
      ],
      ['mutation ($id: ID!) { markNotificationRead(id: $id) { id readAt } }', 'notification'],
      ['mutation ($id: ID!) { setWebhookActive(id: $id, active: true) { id url } }', 'webhook'],
      ['mutation ($id: ID!) { pinProject(conversationId: $id, memoryId: null) { id } }', 'conversation'],
      [
        'mutation ($id: ID!) { setQuota(input: { subject: MEMBER, memberId: $id, period: DAY, maxTokens: 9999999 }) { memberId } }',
        'member',
      ],
      [
        `mutation ($id: ID!) { startTurn(input: { conversationId: $id, message: "Encore", idempotencyKey: "again" }) {
           ... on TurnAccepted { turn { id } } } }`,
        'conversation',
      ],
      [
        `mutation ($id: ID!) { startTurn(input: { assistantKey: "mefali", documentIds: [$id], message: "Et là ?",
           idempotencyKey: "there" }) { ... on TurnAccepted { turn { id documentIds } } } }`,
        'document',
      ],
      ['mutation ($id: ID!) { cancelTurn(id: $id) { id status } }', 'turn'],
      ['mutation ($id: ID!) { revokeApiKey(id: $id) { id revokedAt } }', 'apiKey'],
    ];
    it.each(operations)('does the same: %s', async (operation, of) => {
      const inCapitals = await client.get(operation, { id: ids[of].toUpperCase() });
      expect(inCapitals).toEqual(await client.get(operation, { id: ids[of] }));
    });

    it('finds everything, and says the id as it is', async () => {
      for (const id of Object.values(ids)) {
        expect(await nodeOf(client, id.toUpperCase())).toMatchObject({ id });
        expect(await client.get(`{ node(id: "${id.toUpperCase()}") { id } }`)).toEqual({ node: { id } });
      }
    });

    it.each([
      ['an answer', 'COMPLETED'],
      ['a cancellation', 'CANCELLED'],
    ])('follows a turn that goes on, to its end by %s', async (by, status) => {
      const { turnId } = await client.ask(WAITS);
      const [approval] = await untilWaiting(client, turnId);
      const events = client.turnEvents(turnId.toUpperCase());
      const told: WireEvent[] = [];
      for await (const event of events) {
        told.push(event);
        if (event.status !== 'WAITING_FOR_APPROVAL') continue;
        if (by !== 'an answer') await cancelTurn(client, turnId.toUpperCase());
        else await resolve(client, { ...allowed(approval, true), approvalId: approval!.id.toUpperCase() });
      }
      expect(told.at(-1)).toMatchObject({ __typename: 'TurnDone', turnId, status });
    });

    it('follows a document', async () => {
      const told = await Array.fromAsync(progressOf(client, ids.document.toUpperCase()));
      expect(told).toMatchObject([{ id: ids.document, status: 'COMPLETED' }]);
    });

    it('signs out whoever is erased', async () => {
      const awa = await app.client({ sub: 'awa', role: 'MEMBER' });
      const closed = Promise.withResolvers<unknown>();
      const socket = awa.socket({ lazy: false, on: { closed: closed.resolve }, onNonLazyError: () => {} });
      await Array.fromAsync(socket.iterate({ query: '{ viewer { id } }' }));
      const { id } = await identityOf(awa);
      const erased = await client.get('mutation ($id: ID!) { eraseMember(id: $id) }', {
        id: id.toUpperCase(),
      });
      expect((await identityOf(awa)).id).not.toBe(id);
      expect(await closed.promise).toMatchObject({ code: 4403 });
      expect(erased).toEqual({ eraseMember: id });
    });

    it.each<[mutation: string, of: keyof typeof ids]>([
      ['deleteFile', 'file'],
      ['deleteWebhook', 'webhook'],
      ['forget', 'memory'],
      ['deleteDocument', 'document'],
      ['deleteConversation', 'conversation'],
    ])('removes: %s', async (mutation, of) => {
      const answer = await client.get(`mutation ($id: ID!) { ${mutation}(id: $id) }`, {
        id: ids[of].toUpperCase(),
      });
      expect(answer).toEqual({ [mutation]: ids[of] });
      expect(await nodeOf(client, ids[of])).toBeNull();
    });
  });
});
