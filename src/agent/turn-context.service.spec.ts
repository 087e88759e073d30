import type { Echo } from '@palabre/llm-client';

import type { Assistant } from '../companies/assistants/assistant.repository.js';
import type { Company } from '../companies/company.repository.js';
import type { MembersService } from '../companies/members/members.service.js';
import type { ConversationsService } from '../conversations/conversations.service.js';
import type { Conversation } from '../conversations/conversation.repository.js';
import type { Message } from '../conversations/message.repository.js';
import type { MessagePathRepository } from '../conversations/message-path.repository.js';
import type { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import type { CreatedTurn } from '../conversations/turns/claims/turn-queue.service.js';
import type { SkillCall } from '../conversations/turns/skill-call.entity.js';
import type { TurnClaims } from '../conversations/turns/claims/turn-claims.service.js';
import type { TurnCheckpoints } from '../conversations/turns/log/turn-checkpoints.service.js';
import type { PlanDecision, Unanswered } from '../conversations/turns/turn-event.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import type { CompanyContext } from './company-context.service.js';
import type { DocumentsService } from '../documents/documents.service.js';
import { type RunContext, TurnContext } from './turn-context.service.js';

const tx = {} as Transaction;

function at(seconds: number): Date {
  return new Date(1_000_000_000 + 1000 * seconds);
}

function turnOf(changes: Partial<Turn> = {}): Turn {
  return {
    companyId: 'nord',
    attempt: 2,
    createdAt: at(0),
    startedAt: at(0),
    backgroundAt: null,
    documentIds: [],
    idleSeconds: 0,
    assistantId: null,
    ...changes,
  } as Turn;
}

function callOf(changes: Partial<SkillCall> = {}): SkillCall {
  return {
    companyId: 'nord',
    id: 'call',
    turnId: 'turn',
    skill: 'look',
    arguments: {},
    step: 1,
    preamble: 'I look.',
    modelCallId: 'm',
    modelArguments: '{}',
    status: 'SUCCEEDED',
    result: '42',
    resultPreview: '42',
    startedAt: at(1),
    finishedAt: at(2),
    ...changes,
  };
}

function approvalOf(changes: Partial<PendingInput> = {}): PendingInput {
  return {
    companyId: 'nord',
    id: 'approval',
    kind: 'APPROVAL',
    request: null,
    forAttempt: null,
    answer: null,
    turnId: 'turn',
    memberId: 'awa',
    callId: 'call',
    skill: 'send',
    arguments: { to: 'awa' },
    step: 1,
    preamble: '',
    modelCallId: 'm',
    modelArguments: '{"to":"all"}',
    askerMayApprove: false,
    reason: null,
    status: 'APPROVED',
    createdAt: at(10),
    expiresAt: at(9_999),
    resolvedAt: at(110),
    resolvedBy: 'bo',
    comment: null,
    ...changes,
  };
}

function messageOf(role: Message['role'], text: string, turnId: string | null): Message {
  return { role, text, turnId, citations: [] as Message['citations'] } as Message;
}

interface Rows {
  calls?: SkillCall[];
  decided?: PlanDecision[];
  approvals?: PendingInput[];
  echoes?: Record<number, Echo>;
  earlier?: number;
  /** Instead of so many. */
  said?: Message[];
  unanswered?: Record<string, Unanswered>;
  hasQuotas?: boolean;
  /** The assistant recalls what was said in other conversations. */
  recalls?: boolean;
}

/** The rows of a turn. Nothing else is read. */
function contextOf(rows: Rows): TurnContext {
  const {
    calls = [],
    decided = [],
    approvals = [],
    echoes = {},
    earlier = 0,
    said,
    unanswered = {},
    hasQuotas = false,
    recalls = false,
  } = rows;
  const database: Pick<Database, 'read'> = { read: (_company, work) => work(tx) };
  const assistant = {
    strategy: 'PLANNED',
    language: 'en',
    extractsMemories: true,
    recallsConversations: recalls,
    backgroundMaxSteps: 30,
    backgroundMaxSeconds: 900,
  } as Assistant;
  const companies: Pick<CompanyContext, 'read'> = {
    read: async () => ({
      company: { name: 'Nord' } as Company,
      assistant,
      template: '',
      hasQuotas,
      today: new Date(0),
    }),
  };
  const messages =
    said ??
    Array.from({ length: earlier }, (_, index) =>
      messageOf(index % 2 === 0 ? 'USER' : 'ASSISTANT', `${index}`, `${Math.floor(index / 2)}`),
    );
  const conversations = {
    get: async () => ({ id: 'conversation' }),
    getMessage: async () => ({ text: 'How much?' }),
  };
  const paths = {
    findSummary: async () => null,
    listBefore: async (_tx: Transaction, { limit }: { limit: number }) => messages.slice(-limit),
  };
  return new TurnContext(
    database as Database,
    companies as CompanyContext,
    { get: async () => ({ name: 'Awa' }) } as unknown as MembersService,
    conversations as unknown as ConversationsService,
    paths as unknown as MessagePathRepository,
    {
      listUnanswered: async (_tx: Transaction, ids: string[]) =>
        new Map(Object.entries(unanswered).filter(([id]) => ids.includes(id))),
    } as unknown as TurnClaims,
    {
      read: async () => ({
        calls,
        decided,
        inputs: approvals,
        echoes: new Map(Object.entries(echoes).map(([step, echo]) => [Number(step), echo])),
      }),
    } as unknown as TurnCheckpoints,
    { whatIsThere: async () => ({ documents: false, attachments: false }) } as unknown as DocumentsService,
  );
}

function read(rows: Rows, turn: Partial<Turn> = {}): Promise<RunContext> {
  return contextOf(rows).read(turnOf(turn));
}

describe('what earlier runs of a turn got as far as', () => {
  it('is not looked for in its first', async () => {
    const { agentTurn } = await read({ calls: [callOf()], approvals: [approvalOf()] }, { attempt: 1 });
    expect(agentTurn).toMatchObject({
      made: [],
      decided: [],
      answered: [],
      backgroundAt: null,
    });
  });

  it('is what its planner decided', async () => {
    const decided = [{ action: 'SYNTHESIZE', reason: 'I know enough.' } as const];
    expect((await read({ decided })).agentTurn.decided).toEqual(decided);
  });

  it('is its calls, as the model asked for them', async () => {
    const { agentTurn } = await read({
      calls: [callOf(), callOf({ id: 'open', status: 'RUNNING', result: null })],
    });
    const asked = { step: 1, preamble: 'I look.', modelCallId: 'm', modelArguments: '{}' };
    expect(agentTurn.made).toEqual([
      { callId: 'call', skill: 'look', asked, status: 'SUCCEEDED', result: '42', startedAt: at(1) },
      { callId: 'open', skill: 'look', asked, status: 'RUNNING', result: null, startedAt: at(1) },
    ]);
  });

  it('is what people have answered, with the arguments that they allowed, and not what is open', async () => {
    const approvals = [
      approvalOf({ comment: 'Only her.' }),
      approvalOf({ callId: 'denied', status: 'DENIED' }),
      approvalOf({ callId: 'expired', status: 'EXPIRED' }),
      approvalOf({ callId: 'open', status: 'PENDING', resolvedAt: null }),
    ];
    const { agentTurn } = await read({ approvals });
    expect(agentTurn.answered.map(({ callId, answer }) => [callId, answer])).toEqual([
      ['call', 'APPROVED'],
      ['denied', 'DENIED'],
      ['expired', 'EXPIRED'],
    ]);
    expect(agentTurn.answered[0]).toEqual({
      callId: 'call',
      skill: 'send',
      asked: { step: 1, preamble: '', modelCallId: 'm', modelArguments: '{"to":"all"}' },
      answer: 'APPROVED',
      arguments: { to: 'awa' },
      comment: 'Only her.',
      kind: 'APPROVAL',
      given: null,
      request: null,
    });
  });

  it('is what the model wants back with the steps of its calls, also of those that people have answered', async () => {
    const echo = { model: 'm', data: '{}' };
    const { agentTurn } = await read({
      calls: [callOf(), callOf({ id: 'later', step: 2 })],
      approvals: [approvalOf()],
      echoes: { 1: echo },
    });
    expect(agentTurn.made.map(({ asked }) => asked.echo)).toEqual([echo, undefined]);
    expect(agentTurn.answered.map(({ asked }) => asked.echo)).toEqual([echo]);
  });
});

it('tells when it went to the background, and leaves what was done at its time', async () => {
  const turn = { backgroundAt: at(5) };
  const { agentTurn } = await read(
    { calls: [callOf({ startedAt: at(106) })], approvals: [approvalOf()] },
    turn,
  );
  expect(agentTurn).toMatchObject(turn);
  expect(agentTurn.made.map(({ startedAt }) => startedAt)).toEqual([at(106)]);
});

it('has calls that an admin allowed carried out with an admin’s rights, and those of the asker with their own', async () => {
  const { allowed } = await read(
    {
      approvals: [
        approvalOf({ callId: 'by-admin', resolvedBy: 'bo' }),
        approvalOf({ callId: 'by-asker', resolvedBy: 'awa' }),
        approvalOf({ callId: 'denied', status: 'DENIED' }),
        approvalOf({ callId: 'late', status: 'EXPIRED', resolvedBy: null }),
      ],
    },
    { memberId: 'awa', role: 'MEMBER' },
  );
  expect([...allowed]).toEqual([
    ['by-admin', 'ADMIN'],
    ['by-asker', 'MEMBER'],
  ]);
});

it('tells the model which questions have no answer, and why', async () => {
  const { agentTurn } = await read({
    said: [
      messageOf('USER', 'Imported', null),
      messageOf('USER', 'Deep', 'deep'),
      messageOf('USER', 'Cancelled', 'cancelled'),
      messageOf('USER', 'Replaced', 'replaced'),
      messageOf('USER', 'Failed', 'failed'),
      messageOf('USER', 'Blank', 'blank'),
      messageOf('ASSISTANT', '\n', 'blank'),
      messageOf('USER', 'Quick', 'quick'),
      messageOf('ASSISTANT', 'Done.', 'quick'),
    ],
    unanswered: {
      deep: 'IN_BACKGROUND',
      cancelled: 'CANCELLED',
      replaced: 'SUPERSEDED',
      failed: 'FAILED',
      blank: 'CANCELLED',
      // One that was answered meanwhile has its answer among the messages.
      quick: 'IN_BACKGROUND',
    },
  });
  expect(agentTurn.prompt.history).toEqual([
    { role: 'user', text: 'Imported' },
    { role: 'user', text: 'Deep', unanswered: expect.stringContaining('background') },
    { role: 'user', text: 'Cancelled', unanswered: expect.stringContaining('cancelled') },
    { role: 'user', text: 'Replaced', unanswered: expect.stringContaining('replaced') },
    { role: 'user', text: 'Failed', unanswered: expect.stringContaining('could not be completed') },
    { role: 'user', text: 'Blank', unanswered: expect.stringContaining('cancelled') },
    { role: 'assistant', text: '\n' },
    { role: 'user', text: 'Quick' },
    { role: 'assistant', text: 'Done.' },
  ]);
});

describe('what a turn leaves to be done', () => {
  it.each([
    [0, { title: true, summary: false, memories: true }],
    [1, { title: false, summary: false, memories: true }],
    [18, { title: false, summary: false, memories: true }],
    [19, { title: false, summary: true, memories: true }],
    [300, { title: false, summary: true, memories: true }],
  ])('after %i messages', async (earlier, upkeep) => {
    expect((await read({ earlier })).upkeep).toEqual(upkeep);
  });

  it.each([
    [null, { index: true }],
    ['another', {}],
  ])('is to index it, but not for an assistant that answers anew in it: %s', async (assistantId, index) => {
    const { upkeep } = await read({ recalls: true, earlier: 2 }, { assistantId });
    expect(upkeep).toEqual({ title: false, summary: false, memories: true, ...index });
  });

  it('is to name it, of the first turn of a conversation', async () => {
    const created: CreatedTurn = {
      turn: turnOf({ attempt: 1 }),
      conversation: { id: 'conversation' } as Conversation,
      question: 'How much?',
      memberName: 'Awa',
      isFirst: true,
      hasAttachments: false,
    };
    const { upkeep, agentTurn } = await contextOf({ earlier: 4 }).readCreated(tx, created);
    expect(upkeep).toEqual({ title: true, summary: false, memories: true });
    expect(agentTurn.prompt).toMatchObject({ question: 'How much?', member: { name: 'Awa' }, history: [] });
  });
});

it.each([true, false])('says whether anything is granted that may be used up: %s', async (hasQuotas) => {
  expect((await read({ hasQuotas })).hasQuotas).toBe(hasQuotas);
});
