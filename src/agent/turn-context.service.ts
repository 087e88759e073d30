import { Injectable } from '@nestjs/common';
import { wholeSchema } from '@palabre/json-schema';
import type { Echo } from '@palabre/llm-client';

import type { Assistant } from '../companies/assistants/assistant.repository.js';
import type { Role } from '../companies/auth/viewer.js';
import { MembersService } from '../companies/members/members.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.repository.js';
import { MessagePathRepository } from '../conversations/message-path.repository.js';
import { Database } from '../platform/database/database.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import type { CreatedTurn } from '../conversations/turns/claims/turn-queue.service.js';
import { TurnClaims } from '../conversations/turns/claims/turn-claims.service.js';
import { TurnCheckpoints } from '../conversations/turns/log/turn-checkpoints.service.js';
import { answererOf, type Turn } from '../conversations/turns/turn.entity.js';
import type { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import type { SkillCall } from '../conversations/turns/skill-call.entity.js';
import type { AskedFor, Unanswered } from '../conversations/turns/turn-event.js';
import { type ContextRequest, historyLimit, shownFromOf } from '../memory/context/memory-context.js';
import { CompanyContext } from './company-context.service.js';
import { DocumentsService } from '../documents/documents.service.js';
import type { AgentTurn, AnsweredCall, MadeCall, TurnDocuments } from './loop/agent-turn.js';
import { withoutMarkers } from './loop/sources/marker-filter.js';
import { unansweredIn, unansweredText } from './unanswered.js';
import type { Upkeep } from './upkeep/conversation-upkeep.service.js';

/** The turn in the form of the loop, and the assistant that answers. */
export interface RunContext {
  assistant: Assistant;
  /** Without the time, which the claim knows. */
  agentTurn: Omit<AgentTurn, 'phaseBeganMs'>;
  memory: ContextRequest;
  hasQuotas: boolean;
  /** The ids of the history's messages, in order. */
  messageIds: readonly string[];
  /** Work after the answer. */
  upkeep: Upkeep;
  /** The skill calls that people allowed, with the role that applies to each. */
  allowed: ReadonlyMap<string, Role>;
}

/** The progress of earlier runs. */
type Resumed = Pick<AgentTurn, 'made' | 'decided' | 'answered'> & Pick<RunContext, 'allowed'>;

@Injectable()
export class TurnContext {
  constructor(
    private readonly database: Database,
    private readonly companies: CompanyContext,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly turns: TurnClaims,
    private readonly checkpoints: TurnCheckpoints,
    private readonly documents: DocumentsService,
  ) {}

  read(turn: Turn): Promise<RunContext> {
    return this.database.read(turn.companyId, async (tx) => {
      const [conversation, question, member, resumed] = await awaitAll([
        this.conversations.get(tx, turn.memberId, turn.conversationId),
        this.conversations.getMessage(tx, turn.questionId),
        this.members.get(tx, turn.memberId),
        turn.attempt > 1 ? this.resume(tx, turn) : begun,
      ]);
      const known = {
        turn,
        conversation,
        question: question.text,
        memberName: member.name,
        isFirst: false,
        hasAttachments: question.attachmentIds !== null,
      };
      return this.complete(tx, known, resumed);
    });
  }

  readCreated(tx: Transaction, created: CreatedTurn): Promise<RunContext> {
    // Its question is not stored yet.
    return this.complete(tx, created, begun, created.conversation.shownBranchId);
  }

  private async complete(
    tx: Transaction,
    created: CreatedTurn,
    { allowed, ...resumed }: Resumed,
    branchId?: string,
  ): Promise<RunContext> {
    const { turn, conversation, question, memberName, isFirst } = created;
    const path = { leaf: turn.questionId, branchId };
    const [earlier, summary, { company, assistant, template, hasQuotas, today }, documents] = await awaitAll([
      isFirst ? [] : this.paths.listBefore(tx, { ...path, limit: historyLimit }),
      isFirst ? null : this.paths.findSummary(tx, path),
      this.companies.read(tx, answererOf(turn, conversation), turn.createdAt),
      this.readDocuments(tx, created),
    ]);
    const { strategy, maxSteps, maxSeconds, maxOutputTokens, language } = assistant;
    const prompt = {
      template,
      language,
      today,
      member: { name: memberName },
      company,
      summary: summary?.text ?? null,
      history: historyOf(earlier, await this.turns.listUnanswered(tx, unansweredIn(earlier)), language),
      question,
      ...(turn.client?.instructions && { instructions: turn.client.instructions }),
    };
    const agentTurn = {
      ...resumed,
      backgroundAt: turn.backgroundAt,
      strategy,
      retrieval: assistant.retrieval,
      answerSchema: turn.answerSchema && wholeSchema(turn.answerSchema),
      showsReasoning: assistant.showsReasoning,
      foreignTextPolicy: company.foreignTextPolicy,
      documents,
      budget: { maxSteps, maxSeconds, maxOutputTokens },
      background: { maxSteps: assistant.backgroundMaxSteps, maxSeconds: assistant.backgroundMaxSeconds },
      prompt,
    };
    const upkeep = upkeepAfter(turn, earlier, assistant);
    const memory = memoryRequest(created, assistant, earlier);
    const messageIds = earlier.map(({ id }) => id);
    return { assistant, agentTurn, messageIds, memory, hasQuotas, upkeep, allowed };
  }

  /** One statement unless the turn is restricted to documents, because every turn pays for it. */
  private async readDocuments(
    tx: Transaction,
    { turn: { documentIds }, conversation, hasAttachments: isAskedWith }: CreatedTurn,
  ): Promise<TurnDocuments> {
    const { documents, attachments } = await this.documents.whatIsThere(tx, conversation.id);
    const hasAttachments = isAskedWith || attachments;
    if (documentIds.length === 0) return { areThere: documents, asked: [], hasAttachments };
    // Includes documents that are still being read, which the search reports.
    const asked = await this.documents.findMany(tx, documentIds);
    return { areThere: asked.length > 0, asked: asked.map(({ name }) => name).toSorted(), hasAttachments };
  }

  private async resume(tx: Transaction, turn: Turn): Promise<Resumed> {
    const { calls, decided, inputs, echoes } = await this.checkpoints.read(tx, turn.id);
    return {
      made: calls.map((call) => madeOf(call, echoes)),
      decided,
      answered: inputs.flatMap((input) => answeredOf(input, turn.attempt, echoes) ?? []),
      allowed: new Map(
        inputs.filter(({ status }) => status === 'APPROVED').map((one) => [one.callId, roleFor(one, turn)]),
      ),
    };
  }
}

function memoryRequest(
  { turn, conversation, question }: CreatedTurn,
  assistant: Assistant,
  earlier: readonly Message[],
): ContextRequest {
  return {
    memberId: turn.memberId,
    message: question,
    conversation,
    assistant,
    now: turn.createdAt,
    leaf: turn.questionId,
    shownFrom: shownFromOf(earlier),
  };
}

function upkeepAfter(turn: Turn, earlier: readonly Message[], assistant: Assistant): Upkeep {
  return {
    title: earlier.length === 0,
    // With the question and its answer, more than the next prompt holds.
    summary: earlier.length + 2 > historyLimit,
    memories: assistant.extractsMemories,
    // The conversation's own assistant decides whether it is recalled, not another one that regenerates an answer.
    ...(assistant.recallsConversations && turn.assistantId === null && { index: true }),
  };
}

/** An unanswered question carries its reason, so that the model does not carry it out with the next one. */
function historyOf(
  messages: readonly Message[],
  unanswered: ReadonlyMap<string, Unanswered>,
  language: string,
): AgentTurn['prompt']['history'] {
  return messages.map(({ role, text, parts, turnId, citations }) => {
    // In JSON, a list of one number looks like a marker.
    const isData = parts?.some(({ type }) => type === 'data');
    if (role === 'ASSISTANT')
      return { role: 'assistant', text: isData ? text : withoutMarkers(text, citations) };
    const why = unanswered.get(turnId ?? '');
    return { role: 'user', text, ...(why && { unanswered: unansweredText(why, language) }) };
  });
}

const begun: Resumed = { made: [], decided: [], answered: [], allowed: new Map() };

/** The role for an allowed call: an approving admin lends it their rights. */
function roleFor({ resolvedBy }: PendingInput, { memberId, role }: Turn): Role {
  return resolvedBy === memberId || role === 'OPERATOR' ? role : 'ADMIN';
}

/** Echoes of the turn's steps, by step. */
type Echoes = ReadonlyMap<number, Echo>;

function madeOf(
  { id: callId, skill, status, result, startedAt, ...call }: SkillCall,
  echoes: Echoes,
): MadeCall {
  return { callId, skill, asked: askedOf(call, echoes), status, result, startedAt };
}

function answeredOf(input: PendingInput, attempt: number, echoes: Echoes): AnsweredCall | null {
  const { status, forAttempt, answer: given, kind, callId, skill, comment, request } = input;
  // Whether an earlier attempt told the server is unknown.
  if (status === 'PENDING' || (forAttempt !== null && forAttempt !== attempt)) return null;
  const asked = askedOf(input, echoes);
  return { kind, callId, skill, asked, answer: status, arguments: input.arguments, comment, given, request };
}

function askedOf(
  { step, preamble, modelCallId, modelArguments }: Omit<AskedFor, 'echo'>,
  echoes: Echoes,
): AskedFor {
  const echo = echoes.get(step);
  return { step, preamble, modelCallId, modelArguments, ...(echo && { echo }) };
}
