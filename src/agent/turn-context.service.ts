import { Injectable } from '@nestjs/common';

import type { Assistant } from '../assistants/assistant.entity.js';
import type { Role } from '../auth/viewer.js';
import { MembersService } from '../companies/members/members.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.entity.js';
import { Database } from '../database/database.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import type { Echo } from '../llm/chat-model.js';
import type { CreatedTurn } from '../turns/claims/local-runner.js';
import { TurnClaims } from '../turns/claims/turn-claims.service.js';
import type { Turn } from '../turns/turn.entity.js';
import type { Approval } from '../turns/approvals/approval.entity.js';
import type { SkillCall } from '../turns/skill-calls/skill-call.entity.js';
import type { AskedFor, Unanswered } from '../turns/turn-event.js';
import type { ContextRequest } from '../memory-context/memory-context.js';
import { historyLimit, shownFromOf } from '../memory-context/shown-history.js';
import { CompanyContext } from './company-context.service.js';
import { CompanyDocuments } from './company-documents.service.js';
import type { AgentTurn, AnsweredCall, MadeCall } from './loop/agent-turn.js';
import { withoutMarkers } from './loop/sources/marker-filter.js';
import { unansweredIn, unansweredText } from './unanswered.js';
import type { Upkeep } from './upkeep/conversation-upkeep.service.js';

/** The turn as the loop needs it, and the assistant that answers. */
export interface RunContext {
  assistant: Assistant;
  agentTurn: AgentTurn;
  /** What it is told of what is remembered. */
  memory: ContextRequest;
  /** Something is granted in the company that may be used up. */
  hasQuotas: boolean;
  /** What the turn leaves to be done once it is answered. */
  upkeep: Upkeep;
  /** The skill calls that people have allowed, with the role that each is carried out in. */
  allowed: ReadonlyMap<string, Role>;
}

/** What earlier runs of a turn got as far as. */
type Resumed = Pick<AgentTurn, 'made' | 'decided' | 'answered'> & Pick<RunContext, 'allowed'>;

/** Reads what a turn's prompts are made of. */
@Injectable()
export class TurnContext {
  constructor(
    private readonly database: Database,
    private readonly companies: CompanyContext,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly turns: TurnClaims,
    private readonly documents: CompanyDocuments,
  ) {}

  read(turn: Turn): Promise<RunContext> {
    return this.database.read(turn.companyId, async (tx) => {
      const [conversation, question, member, resumed] = await together([
        this.conversations.get(tx, turn.memberId, turn.conversationId),
        this.conversations.getMessage(tx, turn.questionId),
        this.members.get(tx, turn.memberId),
        turn.attempt > 1 ? this.resume(tx, turn) : begun,
      ]);
      const known = { turn, conversation, question: question.text, memberName: member.name, isFirst: false };
      return this.complete(tx, known, resumed);
    });
  }

  /** The same of a turn that `tx` creates. */
  readCreated(tx: Transaction, created: CreatedTurn): Promise<RunContext> {
    return this.complete(tx, created, begun);
  }

  private async complete(
    tx: Transaction,
    created: CreatedTurn,
    { allowed, ...resumed }: Resumed,
  ): Promise<RunContext> {
    const { turn, conversation, question, memberName, isFirst } = created;
    const [earlier, { company, assistant, template, hasQuotas, today }, documents] = await together([
      isFirst ? [] : this.conversations.listBefore(tx, conversation.id, turn.questionId, historyLimit),
      this.companies.read(tx, conversation.assistantId, turn.createdAt),
      this.documents.read(tx, turn.documentIds),
    ]);
    const { strategy, maxSteps, maxSeconds, maxOutputTokens, language } = assistant;
    const prompt = {
      template,
      language,
      today,
      member: { name: memberName },
      company,
      summary: conversation.summary,
      history: historyOf(earlier, await this.turns.listUnanswered(tx, unansweredIn(earlier)), language),
      question,
    };
    const agentTurn = {
      ...resumed,
      ...timesOf(turn),
      strategy,
      retrieval: assistant.retrieval,
      documents,
      budget: { maxSteps, maxSeconds, maxOutputTokens },
      background: { maxSteps: assistant.backgroundMaxSteps, maxSeconds: assistant.backgroundMaxSeconds },
      prompt,
    };
    const upkeep = upkeepAfter(earlier, assistant);
    const memory = memoryRequest(created, assistant, earlier);
    return { assistant, agentTurn, memory, hasQuotas, upkeep, allowed };
  }

  private async resume(tx: Transaction, turn: Turn): Promise<Resumed> {
    const [calls, decided, approvals, echoes] = await together([
      this.turns.listSkillCalls(tx, turn.id),
      this.turns.listDecisions(tx, turn.id),
      this.turns.listApprovals(tx, turn.id),
      this.turns.listEchoes(tx, turn.id),
    ]);
    return {
      made: calls.map((call) => madeOf(call, echoes)),
      decided,
      answered: approvals.flatMap((approval) => answeredOf(approval, echoes) ?? []),
      allowed: new Map(approvals.filter(isAllowed).map((one) => [one.callId, roleFor(one, turn)])),
    };
  }
}

const memoryRequest = (
  { turn, conversation, question }: CreatedTurn,
  assistant: Assistant,
  earlier: readonly Message[],
): ContextRequest => ({
  memberId: turn.memberId,
  message: question,
  conversation,
  assistant,
  now: turn.createdAt,
  shownFrom: shownFromOf(earlier),
});

const upkeepAfter = (earlier: readonly Message[], assistant: Assistant): Upkeep => ({
  title: earlier.length === 0,
  // With the question and its answer, more than the next prompt holds.
  summary: earlier.length + 2 > historyLimit,
  memories: assistant.extractsMemories,
  ...(assistant.recallsConversations && { index: true }),
});

/** A question that has no answer is told with why: or the model would carry it out together with the next. */
const historyOf = (
  messages: readonly Message[],
  unanswered: ReadonlyMap<string, Unanswered>,
  language: string,
): AgentTurn['prompt']['history'] =>
  messages.map(({ role, text, turnId, citations }) => {
    if (role === 'ASSISTANT') return { role: 'assistant', text: withoutMarkers(text, citations) };
    const why = unanswered.get(turnId ?? '');
    return { role: 'user', text, ...(why && { unanswered: unansweredText(why, language) }) };
  });

const timesOf = ({ startedAt, createdAt, backgroundAt, idleSeconds }: Turn) => ({
  startedAt: startedAt ?? createdAt,
  backgroundAt,
  idleMs: 1000 * idleSeconds,
});

const begun: Resumed = { made: [], decided: [], answered: [], allowed: new Map() };

const isAllowed = ({ status }: Approval): boolean => status === 'APPROVED';

/** An admin who allows this very call lends it what the asker may not do; an asker has nothing to lend. */
const roleFor = ({ resolvedBy }: Approval, { memberId, role }: Turn): Role =>
  resolvedBy === memberId || role === 'OPERATOR' ? role : 'ADMIN';

/** What models want back with the turn's steps, by step. */
type Echoes = ReadonlyMap<number, Echo>;

const madeOf = (
  { id: callId, skill, status, result, startedAt, ...call }: SkillCall,
  echoes: Echoes,
): MadeCall => ({
  callId,
  skill,
  asked: askedOf(call, echoes),
  status,
  result,
  startedAt,
});

const answeredOf = ({ status, ...approval }: Approval, echoes: Echoes): AnsweredCall | null => {
  const { callId, skill, arguments: allowed, comment } = approval;
  if (status === 'PENDING') return null;
  return { callId, skill, asked: askedOf(approval, echoes), answer: status, arguments: allowed, comment };
};

const askedOf = (
  { step, preamble, modelCallId, modelArguments }: Omit<AskedFor, 'echo'>,
  echoes: Echoes,
): AskedFor => {
  const echo = echoes.get(step);
  return { step, preamble, modelCallId, modelArguments, ...(echo && { echo }) };
};
