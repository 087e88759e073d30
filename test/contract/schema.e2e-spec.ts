import { readFile } from 'node:fs/promises';

import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { APPLICATION, EVERYTHING, FIFTY_CONVERSATIONS } from '../harness/client-queries.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

let app: TestApp;
let schema: GraphQLSchema;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
  const nobody = app.clientWith(null);
  schema = buildClientSchema(
    await nobody.get<IntrospectionQuery>(getIntrospectionQuery({ specifiedByUrl: true, oneOf: true })),
  );
});
afterAll(() => app[Symbol.asyncDispose]());

/** All that the schema consists of, by name, with its description. */
function partsOf(schema: GraphQLSchema): [name: string, description: string | null | undefined][] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .flatMap((type): [string, string | null | undefined][] => {
      const own: [string, string | null | undefined] = [type.name, type.description];
      if (isEnumType(type)) {
        return [own, ...type.getValues().map((value) => inside(type.name, value))];
      }
      if (isInputObjectType(type)) {
        return [own, ...Object.values(type.getFields()).map((field) => inside(type.name, field))];
      }
      if (!isObjectType(type) && !isInterfaceType(type)) return [own];
      return [
        own,
        ...Object.values(type.getFields()).flatMap((field) => [
          inside(type.name, field),
          ...field.args.map((argument) => inside(`${type.name}.${field.name}`, argument)),
        ]),
      ];
    });
}

function inside(
  parent: string,
  { name, description }: { name: string; description?: string | null },
): [string, string | null | undefined] {
  return [`${parent}.${name}`, description];
}

/** How a field, an input field or a set of values reads: `Type.field`, or the name of an enum or a union. */
function signatureOf(schema: GraphQLSchema, path: string): string | null {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  if (isEnumType(type))
    return type
      .getValues()
      .map(({ name }) => name)
      .toSorted()
      .join(' ');
  if (isUnionType(type))
    return type
      .getTypes()
      .map(({ name }) => name)
      .toSorted()
      .join(' ');
  if (isInputObjectType(type)) {
    const field = type.getFields()[fieldName];
    return field ? `${field.type.toString()}${defaultOf(field.defaultValue)}` : null;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return null;
  const field = type.getFields()[fieldName];
  if (!field) return null;
  const args = field.args.map(
    (argument) => `${argument.name}: ${argument.type.toString()}${defaultOf(argument.defaultValue)}`,
  );
  return `${args.length > 0 ? `(${args.toSorted().join(', ')}) ` : ''}${field.type.toString()}`;
}

function defaultOf(value: unknown): string {
  return value === undefined ? '' : ` = ${String(value)}`;
}

/** What clients outside this repository are written against. */
const promised: Record<string, string> = {
  'Query.node': '(id: ID!) Node',
  'Query.viewer': 'Viewer!',
  'Query.company': 'Company!',
  'Query.assistants': '[Assistant!]!',
  'Query.assistant': '(key: String!) Assistant',
  'Query.conversations':
    '(after: String, before: String, filter: ConversationFilter, first: Int, last: Int) ConversationConnection!',
  'Query.searchMessages': '(first: Int = 10, query: String!) [MessageHit!]!',
  'Query.turns': '(after: String, filter: TurnFilter, first: Int) TurnConnection!',
  'Mutation.updateConversation': '(input: UpdateConversationInput!) Conversation!',
  'Mutation.markAllNotificationsRead': 'Int!',
  'Mutation.createAssistant': '(input: CreateAssistantInput!) Assistant!',
  'Mutation.copyAssistant': '(key: String!, name: String!, newKey: String!) Assistant!',
  'Mutation.archiveAssistant': '(archived: Boolean!, key: String!) Assistant!',
  'Subscription.conversationChanged': '(id: ID!) Conversation!',
  'Subscription.conversationsChanged': 'Conversation!',
  'ConversationFilter.archived': 'Boolean = false',
  'Conversation.pinned': 'Boolean!',
  'Conversation.archived': 'Boolean!',
  'Assistant.archived': 'Boolean!',
  'MessageHit.conversation': 'Conversation!',
  'TurnFilter.status': '[TurnStatus!]',
  'TurnFilter.minSeconds': 'Float',
  'TurnEdge.node': 'Turn!',
  'Query.conversation': '(id: ID!) Conversation',
  'Query.turn': '(id: ID!) Turn',
  'Query.pendingApprovals': '[Approval!]!',
  'Query.pendingInputs': '(after: String, first: Int, turnId: ID) PendingInputConnection!',
  'Query.skills': '[Skill!]!',
  'Query.memories': '(active: Boolean, after: String, first: Int, kind: MemoryKind) MemoryConnection!',
  'Query.notifications': '(after: String, first: Int, unreadOnly: Boolean) NotificationConnection!',
  'Mutation.startTurn': '(input: StartTurnInput!) StartTurnResult!',
  'Mutation.cancelTurn': '(id: ID!) Turn!',
  'Mutation.resolveApproval': '(input: ResolveApprovalInput!) Approval!',
  'Mutation.answerInput': '(input: AnswerInputInput!) PendingInput!',
  'Mutation.deleteConversation': '(id: ID!) ID!',
  'Mutation.updateCompany': '(input: UpdateCompanyInput!) Company!',
  'Mutation.setSkillActive': '(active: Boolean!, key: String!) Skill!',
  'Mutation.setSkillApproval': '(askerMayApprove: Boolean, key: String!, required: Boolean!) Skill!',
  'Mutation.setSkillExposed': '(exposed: Boolean!, key: String!) Skill!',
  'Mutation.publishPrompt': '(assistantKey: String!, note: String, template: String!) PromptVersion!',
  'Mutation.rollbackPrompt': '(assistantKey: String!, version: Int!) PromptVersion!',
  'Mutation.remember': '(input: RememberInput!) Memory!',
  'Mutation.updateMemory': '(attributes: JSON, content: String, id: ID!) Memory!',
  'Mutation.forget': '(id: ID!) ID!',
  'Mutation.markNotificationRead': '(id: ID!) Notification!',
  'Subscription.turnEvents': '(after: Int = 0, turnId: ID!) TurnEvent!',
  'Subscription.notificationAdded': '(after: String) Notification!',
  'Viewer.role': 'Role!',
  'Viewer.email': 'String',
  'Viewer.company': 'Company!',
  'Company.headcount': 'Int',
  'Company.revenue': 'Money',
  'Company.profile': 'CompanyProfile!',
  'Company.language': 'String!',
  'Company.createdAt': 'DateTime!',
  'CompanyProfile.attributes': 'JSON!',
  'CompanyProfile.declaredGoals': '[String!]!',
  'UpdateCompanyInput.revenue': 'MoneyInput',
  'UpdateCompanyInput.declaredGoals': '[String!]',
  'UpdateCompanyInput.attributes': 'JSON',
  'MoneyInput.amount': 'Float!',
  'Assistant.strategy': 'Strategy!',
  'Assistant.budget': 'Budget!',
  'Assistant.prompt': 'PromptVersion',
  'Assistant.promptHistory': '[PromptVersion!]!',
  'Assistant.skills': '[Skill!]!',
  'PromptVersion.version': 'Int!',
  'PromptVersion.publishedBy': 'String',
  'Skill.inputSchema': 'JSON',
  'Skill.unavailableReason': '(language: String! = en) String',
  'Skill.requiresApproval': 'Boolean!',
  'Conversation.title': 'String',
  'Conversation.activeTurn': 'Turn',
  'Conversation.messages':
    '(after: String, before: String, first: Int, last: Int, leaf: ID) MessageConnection!',
  'ConversationEdge.cursor': 'String!',
  'PageInfo.endCursor': 'String',
  'Message.citations': '[Citation!]!',
  'Message.turn': 'Turn',
  'Turn.question': 'Message!',
  'Turn.answer': 'Message',
  'Turn.finishReason': 'FinishReason',
  'Turn.skillCalls': '[SkillCall!]!',
  'Turn.approvals': '[Approval!]!',
  'Turn.pendingInputs': '[PendingInput!]!',
  'Turn.prompts': '[ModelCall!]!',
  'Turn.usage': 'Usage!',
  'Turn.error': 'TurnError',
  'Turn.lastSequence': 'Int!',
  'Usage.costUsd': 'Float',
  'TurnError.retryable': 'Boolean!',
  'ModelCall.messages': 'JSON!',
  'ModelCall.tools': 'JSON!',
  'Approval.turnId': 'ID!',
  'Approval.skill': 'String!',
  'Approval.arguments': 'JSON!',
  'Approval.reason': 'String',
  'Approval.status': 'PendingStatus!',
  'Approval.expiresAt': 'DateTime!',
  'PendingInput.kind': 'PendingInputKind!',
  'PendingInput.askedByName': 'String',
  'PendingInput.askedIn': 'String',
  'PendingInputConnection.edges': '[PendingInputEdge!]!',
  'PendingInputEdge.node': 'PendingInput!',
  'Question.prompt': 'String!',
  'Question.responseSchema': 'JSON!',
  'ClientSkillCall.callId': 'ID!',
  'ClientSkillCall.arguments': 'JSON!',
  'McpInputRequest.server': 'String!',
  'McpInputRequest.responseSchema': 'JSON',
  'McpInputRequest.url': 'String',
  'AnswerInputInput.approval': 'ResolveApprovalInput',
  'AnswerInputInput.question': 'AnswerQuestionInput',
  'AnswerInputInput.clientSkill': 'AnswerClientSkillInput',
  'AnswerInputInput.mcp': 'AnswerQuestionInput',
  'AnswerQuestionInput.value': 'JSON',
  'AnswerQuestionInput.declined': 'Boolean = false',
  'AnswerClientSkillInput.result': 'JSON',
  'AnswerClientSkillInput.error': 'String',
  'ClientSkillInput.timeoutSeconds': 'Int = 300',
  'ResolveApprovalInput.approvalId': 'ID!',
  'ResolveApprovalInput.approve': 'Boolean!',
  'ResolveApprovalInput.arguments': 'JSON',
  'ResolveApprovalInput.comment': 'String',
  'Memory.kind': 'MemoryKind!',
  'Memory.attributes': 'JSON!',
  'Memory.active': 'Boolean!',
  'Memory.shared': 'Boolean!',
  'Memory.validFrom': 'DateTime!',
  'Memory.supersededBy': 'ID',
  'MemoryConnection.edges': '[MemoryEdge!]!',
  'RememberInput.attributes': 'JSON',
  'RememberInput.shared': 'Boolean = false',
  'Notification.kind': 'String!',
  'Notification.title': 'String!',
  'Notification.body': 'String!',
  'Notification.turn': 'Turn',
  'Notification.readAt': 'DateTime',
  'NotificationConnection.edges': '[NotificationEdge!]!',
  'NotificationEdge.node': 'Notification!',
  'StartTurnInput.conversationId': 'ID',
  'StartTurnInput.assistantKey': 'String',
  'StartTurnInput.message': 'String!',
  'StartTurnInput.documentIds': '[ID!]',
  'StartTurnInput.clientSkills': '[ClientSkillInput!]',
  'StartTurnInput.whenBusy': 'WhenBusy = ENQUEUE',
  'StartTurnInput.answerSchema': 'JSON',
  'Turn.answerSchema': 'JSON',
  'StartTurnInput.idempotencyKey': 'String',
  'TurnInProgress.activeTurn': 'Turn!',
  'IdempotencyConflict.firstTurn': 'Turn!',
  'QuotaExceeded.resetsAt': 'DateTime',
  'TurnEvent.sequence': 'Int!',
  'StatusChanged.detail': 'String',
  'TextDelta.text': 'String!',
  'ReasoningDelta.text': 'String!',
  'Message.parts': '[MessagePart!]!',
  'TextPart.text': 'String!',
  'ReasoningPart.text': 'String!',
  'DataPart.value': 'JSON!',
  'Assistant.showsReasoning': 'Boolean!',
  'TextReset.cause': 'TextResetReason!',
  'PlanDecided.action': 'PlanAction!',
  'PlanDecided.nextSkill': 'String',
  'PlanDecided.reason': 'String',
  'SkillStarted.arguments': 'JSON!',
  'SkillFinished.callStatus': 'SkillCallStatus!',
  'SkillFinished.resultPreview': 'String!',
  'SkillLoaded.skill': 'String!',
  'SourcesFound.sources': '[Citation!]!',
  'ApprovalRequested.approval': 'Approval!',
  'InputRequested.input': 'PendingInput!',
  'InputResolved.inputId': 'ID!',
  'InputResolved.inputStatus': 'PendingStatus!',
  'MovedToBackground.message': 'String!',
  'TurnDone.finishReason': 'FinishReason!',
  'TurnDone.messageId': 'ID',
  'TurnDone.error': 'TurnError',
  Role: 'ADMIN MEMBER OPERATOR',
  Strategy: 'GROUNDED PLANNED REACTIVE',
  TurnStatus:
    'CANCELLED COMPLETED FAILED IN_BACKGROUND QUEUED RUNNING WAITING_FOR_APPROVAL WAITING_FOR_INPUT',
  FinishReason: 'ANSWERED CANCELLED ERROR MAX_SECONDS MAX_STEPS MAX_TOKENS SUPERSEDED',
  WhenBusy: 'ENQUEUE INTERRUPT REJECT',
  SkillCallStatus: 'DENIED FAILED RUNNING SUCCEEDED UNKNOWN',
  SkillKind: 'FUNCTION HTTP INSTRUCTIONS MCP',
  MemoryKind: 'CONTACT FACT PREFERENCE PROJECT',
  PlanAction: 'CALL_SKILL CONTINUE_IN_BACKGROUND SYNTHESIZE',
  PendingStatus: 'ANSWERED APPROVED CANCELLED DECLINED DENIED EXPIRED PENDING',
  PendingInputKind: 'APPROVAL CLIENT_SKILL MCP_INPUT QUESTION',
  TextResetReason: 'PREAMBLE RETRIED',
  StartTurnResult: 'IdempotencyConflict QuotaExceeded TurnAccepted TurnInProgress',
};

describe('the schema', () => {
  it('describes each of its types, fields, arguments and values in a sentence', () => {
    const parts = partsOf(schema);
    expect(parts.length).toBeGreaterThan(200);
    const undescribed = parts.filter(([, description]) => !description?.trim());
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  it('is the one that is committed', async () => {
    const committed = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const print = (each: GraphQLSchema): string => printSchema(lexicographicSortSchema(each));
    expect(print(schema)).toBe(print(committed));
  });

  it.each(Object.entries(promised))('promises %s: %s', (path, signature) => {
    expect(signatureOf(schema, path)).toBe(signature);
  });

  it('shows everything with an id as a Node, and every event as a TurnEvent', () => {
    const implementing = (name: string): string[] => {
      const type = schema.getType(name);
      return isInterfaceType(type)
        ? schema
            .getPossibleTypes(type)
            .map((each) => each.name)
            .toSorted()
        : [];
    };
    expect(implementing('Node')).toEqual(
      expect.arrayContaining([
        'Approval',
        'Assistant',
        'ClientSkillCall',
        'Company',
        'Conversation',
        'McpInputRequest',
        'Memory',
        'Message',
        'Notification',
        'Question',
        'Skill',
        'Turn',
      ]),
    );
    expect(implementing('Refusal')).toEqual(['IdempotencyConflict', 'QuotaExceeded', 'TurnInProgress']);
    expect(implementing('TurnEvent')).toEqual([
      'ApprovalRequested',
      'InputRequested',
      'InputResolved',
      'MovedToBackground',
      'PlanDecided',
      'ReasoningDelta',
      'SkillFinished',
      'SkillLoaded',
      'SkillStarted',
      'SourcesFound',
      'StatusChanged',
      'TextDelta',
      'TextReset',
      'TurnDone',
    ]);
  });

  it('gives one name one type in all events, so that one selection without aliases reads them', () => {
    const events = schema.getPossibleTypes(
      schema.getType('TurnEvent') as Parameters<GraphQLSchema['getPossibleTypes']>[0],
    );
    const types = new Map<string, Set<string>>();
    for (const { name, type } of events.flatMap((event) => Object.values(event.getFields()))) {
      types.set(name, (types.get(name) ?? new Set()).add(type.toString()));
    }
    const torn = [...types].filter(([, found]) => found.size > 1).map(([name]) => name);
    expect(torn).toEqual([]);
  });
});

describe('what clients generate', () => {
  it.each([
    [
      'the newest introspection',
      getIntrospectionQuery({
        specifiedByUrl: true,
        inputValueDeprecation: true,
        schemaDescription: true,
        directiveIsRepeatable: true,
        oneOf: true,
      }),
    ],
    ['an old one', getIntrospectionQuery({ descriptions: false })],
  ])('is within the limits: %s', async (_what, query) => {
    const { errors, data } = await app.clientWith(null).send<IntrospectionQuery>(query);
    expect(errors).toBeUndefined();
    expect(Object.keys(buildClientSchema(data!).getTypeMap()).length).toBeGreaterThan(50);
  });

  it('is within the limits: a page of an application with fragments for all that it shows', async () => {
    const client = await app.client();
    const { turnId } = await client.ask('Bonjour');
    await client.allEvents(turnId);
    const { conversations } = await client.get<{ conversations: { edges: object[] } }>(APPLICATION);
    expect(conversations.edges).toMatchObject([
      {
        node: {
          assistant: { key: 'mefali' },
          messages: {
            edges: [
              { node: { role: 'USER', turn: { id: turnId } } },
              { node: { role: 'ASSISTANT', turn: { usage: { modelCalls: 1 } } } },
            ],
          },
        },
      },
    ]);
  });

  it.each([
    ['all that clients are promised', EVERYTHING],
    ['fifty conversations with fifty messages each', FIFTY_CONVERSATIONS],
  ])('is within the limits: %s', async (_what, query) => {
    const client = await app.client();
    const data = await client.get<{ conversations: { edges: object[] } }>(query);
    expect(data.conversations.edges).not.toEqual([]);
  });

  it('is not within them with a long list for each item of a page', async () => {
    const client = await app.client();
    for (const list of ['skills { key inputSchema }', 'promptHistory { template }']) {
      const fields = ['a', 'b', 'c', 'd'].map((alias) => `${alias}: assistant { ${list} }`).join(' ');
      const { errors } = await client.send(`{ conversations(first: 100) { edges { node { ${fields} } } } }`);
      expect(errors).toMatchObject([{ message: expect.stringContaining('may show too much at once') }]);
    }
  });
});
