import { Injectable } from '@nestjs/common';
import { isOffTheRecord } from '@palabre/text';

import { newIdAfter } from '../../../common/ids.js';
import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { QuestionFiles } from '../../../documents/attachments/question-files.service.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { currentTraceparent } from '../../../platform/tracing/span.js';
import type { Conversation } from '../../conversation.repository.js';
import { ConversationsService } from '../../conversations.service.js';
import type { Message } from '../../message.repository.js';
import { MessageTree, type Position } from '../../message-tree.service.js';
import { type CreatedTurn, type Place, TurnQueue } from '../claims/turn-queue.service.js';
import { type TurnEntry, noUsage } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { type NewQuestion, TurnRepository } from '../turn.repository.js';
import { imagesAttached, turnsSuperseded } from '../turns.events.js';
import {
  ASSISTANT_ARGUMENT,
  ATTACHMENTS_ARGUMENT,
  CONVERSATION_ARGUMENT,
  MESSAGE_ARGUMENT,
  payloadHash,
  type Regenerate,
  type StartTurn,
} from './start-turn.js';
import type { ClientRequest } from './client-request.js';
import { TurnLimits } from './turn-limits.service.js';

export interface Asked {
  /** A new question, or a stored one that gets another answer. */
  question: { text: string } | Message;
  /** The position of the new question, or else of the new answer. */
  position: Position;
  attachmentIds: readonly string[];
  with: AskedWith;
}

/** Further input of a question, besides text and attachments. */
type AskedWith = Pick<Turn, 'documentIds' | 'clientSkills' | 'answerSchema' | 'client' | 'scheduleId'>;

/** The same in a turn, or in a request, where absent fields were not asked for. */
type MaybeAskedWith = { readonly [Name in keyof AskedWith]?: AskedWith[Name] | undefined };

export function askedWith({
  documentIds = [],
  clientSkills = null,
  answerSchema = null,
  client = null,
  scheduleId = null,
}: MaybeAskedWith): AskedWith {
  return { documentIds: [...new Set(documentIds)], clientSkills, answerSchema, client, scheduleId };
}

/** The source of a turn other than a member's question by GraphQL. */
export interface Asking {
  scheduleId?: string;
  /** The request through another protocol. */
  client?: ClientRequest;
  /** The id of the conversation to begin or continue. */
  begins?: string;
  /** Runs in the transaction that stores the turn. If it rejects, nothing is stored. */
  record?(tx: Transaction, turn: Turn): Promise<void>;
}

export type StartRequest = StartTurn & Pick<Asking, 'scheduleId' | 'client'>;

export interface NewTurn {
  conversation: Conversation;
  assistantId: string;
  asked: Asked;
  request: StartRequest | Regenerate;
  /** The last id assigned in the conversation. Null: a new conversation. */
  after: string | null;
  /** The interrupted turns, of which one may not have ended yet. */
  interrupted: readonly Turn[];
  /** The turn's place in this process. Null: it waits in the queue. */
  place: Place | null;
}

interface CreatedRows {
  turn: Turn;
  conversation: Conversation;
}

@Injectable()
export class TurnCreation {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly tree: MessageTree,
    private readonly turns: TurnRepository,
    private readonly queue: TurnQueue,
    private readonly limits: TurnLimits,
    private readonly assistants: AssistantsService,
    private readonly files: QuestionFiles,
    private readonly events: DomainEvents,
  ) {}

  /** Calls `work` with a place for a turn of the company, if this process has one; releases it when it was not used. */
  async withPlace<T>(companyId: string, work: (place: Place | null) => Promise<T>): Promise<T> {
    const place = this.queue.reserve(companyId);
    try {
      return await work(place);
    } finally {
      place?.release();
    }
  }

  /**
   * Stores the turn, after ending those that it interrupts. With a place it belongs to this process at once, without
   * a claim. Rejects with NOT_FOUND, BAD_USER_INPUT, RATE_LIMITED or QuotaSpent.
   */
  async create(tx: Transaction, viewer: Viewer, given: NewTurn): Promise<CreatedRows> {
    const { asked, interrupted } = given;
    const attachmentIds = await this.hold(tx, viewer, given);
    if (interrupted.length > 0) await this.events.emit(tx, turnsSuperseded, interrupted);
    // An interrupted turn that regenerated an answer has given up its branch.
    const conversation =
      interrupted.length === 0
        ? given.conversation
        : await this.conversations.get(tx, viewer.id, given.conversation.id);
    const created = await this.insert(tx, viewer, {
      ...given,
      asked: { ...asked, attachmentIds },
      conversation,
    });
    // A new conversation is stored already.
    if (attachmentIds.length > 0) await this.files.attach(tx, attachmentIds, conversation.id);
    return created;
  }

  /** Keeps given attachments until `tx` ends, or finds those of a stored question, of which some may be gone. */
  private async hold(
    tx: Transaction,
    { id: memberId }: Viewer,
    { request, conversation, after, assistantId, asked: { attachmentIds: ids } }: NewTurn,
  ): Promise<string[]> {
    if (ids.length === 0) return [];
    const path = 'messageId' in request ? MESSAGE_ARGUMENT : ATTACHMENTS_ARGUMENT;
    const conversationId = after === null ? null : conversation.id;
    const areGiven = 'attachmentIds' in request && request.attachmentIds !== undefined;
    const found = areGiven
      ? await this.files.hold(tx, memberId, { ids, conversationId, path })
      : await this.files.find(tx, memberId, ids);
    if (found.some(({ kind }) => kind === 'IMAGE'))
      await this.events.emit(tx, imagesAttached, { assistantId, path });
    return ids.filter((id) => found.some((each) => each.id === id));
  }

  private async insert(tx: Transaction, viewer: Viewer, created: NewTurn): Promise<CreatedRows> {
    const { place, asked } = created;
    const turn = newTurn(viewer, created);
    const opening: TurnEntry[] = [{ type: 'status-changed', status: 'QUEUED', detail: null }];
    if (place) opening.push({ type: 'status-changed', status: 'RUNNING', detail: null });
    turn.lastSequence = opening.length;
    const conversation = await this.positioned(tx, created.conversation, turn, asked);
    await awaitAll([
      // Sent first, so that it does not count the new turn. If it rejects, so does the transaction.
      this.limits.check(tx, viewer, created),
      this.assistants.requireInUse(tx, created.assistantId, pathToAssistant(created)),
      // Its reads go out together with the limits.
      place?.prepare(tx, createdTurn(viewer, turn, { ...created, conversation })),
      this.turns.create(tx, {
        turn,
        opening,
        question: 'id' in asked.question ? null : questionOf(asked.question.text, asked.attachmentIds),
        conversation,
        isFirst: created.after === null,
      }),
      place ? null : this.queue.hint(tx, turn.id),
      this.conversations.announce(tx, turn),
    ]);
    const claim = { companyId: tx.companyId, turnId: turn.id, attempt: turn.attempt };
    if (place) tx.afterCommit(() => place.run({ turn, claim, phaseSeconds: 0, opening }));
    return { turn, conversation };
  }

  /** The conversation, with the branch for the turn's messages. */
  private async positioned(
    tx: Transaction,
    conversation: Conversation,
    turn: Turn,
    { position, question }: Asked,
  ): Promise<Conversation> {
    if (position.isAtEnd) return conversation;
    const isStored = 'id' in question;
    const branchId = isStored ? turn.answerId : turn.questionId;
    await this.tree.fork(tx, conversation, branchId, position.fork);
    // A title is made of the first question.
    const title =
      !isStored && position.fork === null
        ? await this.conversations.retitle(tx, conversation, question.text)
        : conversation.title;
    return { ...conversation, shownBranchId: branchId, title };
  }
}

function pathToAssistant({ asked, after, assistantId, conversation }: NewTurn): readonly string[] {
  if (after === null || assistantId !== conversation.assistantId) return ASSISTANT_ARGUMENT;
  return 'id' in asked.question ? MESSAGE_ARGUMENT : CONVERSATION_ARGUMENT;
}

function questionOf(text: string, attachmentIds: readonly string[]): NewQuestion {
  return { text, withheld: isOffTheRecord(text), attachmentIds };
}

function createdTurn(viewer: Viewer, turn: Turn, { conversation, asked, after }: NewTurn): CreatedTurn {
  return {
    turn,
    conversation,
    question: asked.question.text,
    memberName: viewer.name,
    isFirst: after === null,
    hasAttachments: asked.attachmentIds.length > 0,
  };
}

function newTurn(viewer: Viewer, { conversation, assistantId, asked, request, after, place }: NewTurn): Turn {
  const createdAt = new Date();
  const { question } = asked;
  const { idempotencyKey } = request;
  // The ids of question and answer follow each other, after all earlier ids.
  const id = newIdAfter(after);
  const questionId = 'id' in question ? question.id : newIdAfter(id);
  return {
    companyId: viewer.companyId,
    id,
    conversationId: conversation.id,
    memberId: viewer.id,
    role: viewer.role,
    assistantId: assistantId === conversation.assistantId ? null : assistantId,
    questionId,
    answerId: newIdAfter('id' in question ? id : questionId),
    status: place ? 'RUNNING' : 'QUEUED',
    finishReason: null,
    idempotencyKey,
    payloadHash: idempotencyKey === null ? null : payloadHash(request),
    attempt: place ? 1 : 0,
    lostLeases: 0,
    leaseUntil: null,
    seenAt: null,
    idleSeconds: 0,
    stopReason: null,
    ...asked.with,
    lastSequence: 0,
    ...noUsage,
    error: null,
    answerPieces: null,
    createdAt,
    startedAt: place ? createdAt : null,
    backgroundAt: null,
    finishedAt: null,
    seconds: null,
    traceStart: currentTraceparent(),
    traceRun: null,
  };
}
