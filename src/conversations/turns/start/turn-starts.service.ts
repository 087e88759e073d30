import { Injectable } from '@nestjs/common';

import { checkInput } from '../../../common/check-input.js';
import { badInput, notFound } from '../../../common/errors/domain-error.js';
import { isId } from '../../../common/ids.js';
import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { QuotaSpent, type SpentQuota } from '../../../companies/usage/quotas.service.js';
import { QuestionFiles } from '../../../documents/attachments/question-files.service.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { isUniqueViolation } from '../../../platform/database/connection-failure.js';
import { Database } from '../../../platform/database/database.js';
import { type Attributes, inSpan } from '../../../platform/tracing/span.js';
import type { Conversation } from '../../conversation.repository.js';
import { ConversationsService, newConversation } from '../../conversations.service.js';
import type { Message } from '../../message.repository.js';
import { MessageTree, type Position } from '../../message-tree.service.js';
import type { Place } from '../claims/turn-queue.service.js';
import { AskedSkills } from '../inputs/asked-skills.service.js';
import { keepsBusy } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import { requireFreeKeys } from './client-skills.js';
import {
  ASSISTANT_ARGUMENT,
  CONVERSATION_ARGUMENT,
  MESSAGE_ARGUMENT,
  PARENT_ARGUMENT,
  payloadHash,
  Regenerate,
  REPLACED_ARGUMENT,
  StartTurn,
} from './start-turn.js';
import {
  type Asked,
  askedWith,
  type Asking,
  type NewTurn,
  type StartRequest,
  TurnCreation,
} from './turn-creation.service.js';

/** The result of startTurn: a turn, or a refusal that a client handles. `refusalMessage` has the words for people. */
export type StartTurnOutcome = { type: 'accepted'; turn: Turn; conversation: Conversation } | StartRefusal;

/** `language`: the assistant's, BCP 47. */
export type StartRefusal =
  | { type: 'in-progress'; language: string; activeTurn: Turn }
  | { type: 'idempotency-conflict'; firstTurn: Turn }
  | ({ type: 'quota-exceeded'; language: string } & SpentQuota);

interface Continued {
  request: StartRequest | Regenerate;
  conversationId: string;
  place: Place | null;
}

@Injectable()
export class TurnStarts {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly tree: MessageTree,
    private readonly turns: TurnRepository,
    private readonly creation: TurnCreation,
    private readonly assistants: AssistantsService,
    private readonly files: QuestionFiles,
    private readonly skills: AskedSkills,
  ) {}

  /** Stores the question and starts its turn. Rejects with BAD_USER_INPUT, NOT_FOUND or RATE_LIMITED. */
  async start(viewer: Viewer, input: unknown, asking?: Asking): Promise<StartTurnOutcome> {
    const request: StartRequest = checkInput(StartTurn, input);
    if (asking?.scheduleId) request.scheduleId = asking.scheduleId;
    if (asking?.client) request.client = asking.client;
    if (request.clientSkills) {
      await requireFreeKeys(request.clientSkills, (keys) =>
        this.skills.lookup.listTaken(viewer.companyId, keys),
      );
    }
    return this.inPlace(viewer, request.idempotencyKey ?? asking?.begins, async (tx, place) => {
      const outcome = await this.startIn(tx, viewer, request, { place, begins: asking?.begins });
      if (outcome.type === 'accepted') await asking?.record?.(tx, outcome.turn);
      return outcome;
    });
  }

  /** Starts a turn that answers a stored question again. Rejects with BAD_USER_INPUT, NOT_FOUND or RATE_LIMITED. */
  regenerate(viewer: Viewer, input: unknown): Promise<StartTurnOutcome> {
    const request = checkInput(Regenerate, input);
    return this.inPlace(viewer, request.idempotencyKey, async (tx, place) => {
      const message = await this.conversations.getOwnMessage(tx, viewer, request.messageId, MESSAGE_ARGUMENT);
      const { conversationId } = message;
      return this.continue(tx, viewer, { request, conversationId, place }, (conversation, pending) =>
        this.askAgain(tx, conversation, message, pending),
      );
    });
  }

  /** `onlyOnce`: an idempotency key or id that a concurrent request may use. */
  private inPlace(
    viewer: Viewer,
    onlyOnce: string | null | undefined,
    work: (tx: Transaction, place: Place | null) => Promise<StartTurnOutcome>,
  ): Promise<StartTurnOutcome> {
    const begin = (): Promise<StartTurnOutcome> =>
      this.creation.withPlace(viewer.companyId, (place) =>
        this.database.transaction(viewer.companyId, (tx) => work(tx, place)),
      );
    const start = (): Promise<StartTurnOutcome> =>
      begin().catch((error: unknown) => {
        // Another request committed first. The second try finds its turn.
        if (isUniqueViolation(error) && onlyOnce) return begin();
        if (error instanceof QuotaSpent)
          return { type: 'quota-exceeded' as const, language: error.language, ...error.quota };
        throw error;
      });
    return traced(viewer, start);
  }

  private async startIn(
    tx: Transaction,
    viewer: Viewer,
    request: StartRequest,
    { place, begins }: { place: Place | null; begins: string | undefined },
  ): Promise<StartTurnOutcome> {
    const earlier = await this.findEarlier(tx, viewer, request);
    if (earlier) return earlier;
    const named = await this.conversationIdOf(tx, viewer, request);
    const begun = begins === undefined ? null : await this.conversations.findId(tx, viewer, begins);
    const conversationId = named ?? begun;
    if (conversationId === null) return this.begin(tx, viewer, request, { place, id: begins });
    if (!isId(conversationId)) throw notFound('conversation', CONVERSATION_ARGUMENT);
    return this.continue(tx, viewer, { request, conversationId, place }, async (conversation, pending) => {
      const { position, replaced } = await this.positionOf(tx, conversation, request, pending);
      const attachmentIds = request.attachmentIds ?? replaced?.attachmentIds ?? [];
      return { question: { text: request.message }, position, attachmentIds, with: askedWith(request) };
    });
  }

  /** The conversation of the question: the given one, or that of the message before it or replaced by it. */
  private async conversationIdOf(
    tx: Transaction,
    viewer: Viewer,
    { conversationId, parentId, replacesMessageId }: StartTurn,
  ): Promise<string | null> {
    if (conversationId !== null) return conversationId;
    const [id, path] =
      parentId === undefined ? [replacesMessageId, REPLACED_ARGUMENT] : [parentId, PARENT_ARGUMENT];
    if (id === undefined) return null;
    return (await this.conversations.getOwnMessage(tx, viewer, id, path)).conversationId;
  }

  private async positionOf(
    tx: Transaction,
    conversation: Conversation,
    { parentId, replacesMessageId }: StartTurn,
    pending: readonly Turn[],
  ): Promise<{ position: Position; replaced?: Message }> {
    if (parentId !== undefined && replacesMessageId !== undefined) {
      throw badInput(
        PARENT_ARGUMENT,
        'A question follows a message or replaces one: leave one of both ids out.',
      );
    }
    if (parentId !== undefined) {
      const parent = await this.conversations.getMessageOf(tx, conversation.id, parentId, PARENT_ARGUMENT);
      return { position: await this.tree.after(tx, conversation, parent, pending) };
    }
    if (replacesMessageId === undefined) return { position: { isAtEnd: true } };
    const replaced = await this.conversations.getMessageOf(
      tx,
      conversation.id,
      replacesMessageId,
      REPLACED_ARGUMENT,
    );
    if (replaced.role === 'USER')
      return { position: await this.tree.beside(tx, replaced, pending), replaced };
    throw badInput(
      REPLACED_ARGUMENT,
      'Only a question can be replaced. To have one answered again, use regenerate.',
    );
  }

  /** The question of `message`, with a position for another answer. */
  private async askAgain(
    tx: Transaction,
    conversation: Conversation,
    message: Message,
    pending: readonly Turn[],
  ): Promise<Asked> {
    const question = message.role === 'USER' ? message : await this.tree.findParent(tx, message);
    if (question?.role !== 'USER') throw badInput(MESSAGE_ARGUMENT, 'This message answers no question.');
    const [position, turn] = await awaitAll([
      this.tree.after(tx, conversation, question, pending),
      question.turnId === null ? null : this.turns.find(tx, { id: question.turnId }),
    ]);
    const attachmentIds = question.attachmentIds ?? [];
    // The member asks now, even if a schedule asked before.
    return { question, position, attachmentIds, with: askedWith({ ...turn, scheduleId: null }) };
  }

  private async continue(
    tx: Transaction,
    viewer: Viewer,
    { request, conversationId, place }: Continued,
    ask: (conversation: Conversation, unfinished: readonly Turn[]) => Promise<Asked>,
  ): Promise<StartTurnOutcome> {
    // In this order: the later statements run while the conversation is locked.
    const [{ conversation, assistantId }, first, unfinished, after] = await awaitAll([
      this.continuedConversation(tx, viewer, request, conversationId),
      // An earlier request with the same key may have held the lock until now; its turn would keep the conversation busy.
      this.findEarlier(tx, viewer, request),
      this.turns.listUnfinished(tx, [conversationId]),
      this.turns.lastId(tx, conversationId),
      this.files.requireDocuments(tx, 'documentIds' in request ? request.documentIds : []),
    ]);
    if (first) return first;
    const busy = unfinished.filter(keepsBusy);
    const [activeTurn] = busy;
    if (activeTurn && request.whenBusy === 'REJECT') {
      const { language } = await this.assistants.get(tx, assistantId);
      return { type: 'in-progress', language, activeTurn };
    }
    const asked = await ask(conversation, unfinished);
    const interrupted = request.whenBusy === 'INTERRUPT' ? busy : [];
    const turn = { conversation, assistantId, asked, request, after, interrupted };
    const created = await this.creation.create(tx, viewer, { ...turn, place: activeTurn ? null : place });
    return { type: 'accepted', ...created };
  }

  /** Asks in a new conversation. */
  private async begin(
    tx: Transaction,
    viewer: Viewer,
    request: StartRequest,
    { place, id }: { place: Place | null; id: string | undefined },
  ): Promise<StartTurnOutcome> {
    const [assistantId] = await awaitAll([
      this.newAssistantId(tx, request),
      this.files.requireDocuments(tx, request.documentIds),
    ]);
    const { message: text, attachmentIds = [] } = request;
    const conversation = newConversation(viewer, assistantId, text, id);
    const position = { isAtEnd: true as const };
    const asked = { question: { text }, position, attachmentIds, with: askedWith(request) };
    const turn = { conversation, assistantId, asked, request, after: null, interrupted: [] };
    return { type: 'accepted', ...(await this.creation.create(tx, viewer, { ...turn, place })) };
  }

  private async findEarlier(
    tx: Transaction,
    viewer: Viewer,
    request: StartTurn | Regenerate,
  ): Promise<StartTurnOutcome | null> {
    if (!request.idempotencyKey) return null;
    const turn = await this.turns.find(tx, { memberId: viewer.id, idempotencyKey: request.idempotencyKey });
    if (!turn) return null;
    if (turn.payloadHash !== payloadHash(request)) return { type: 'idempotency-conflict', firstTurn: turn };
    const conversation = await this.conversations.get(tx, viewer.id, turn.conversationId);
    return { type: 'accepted', turn, conversation };
  }

  /** The existing conversation, locked until `tx` ends, and the assistant that answers. */
  private async continuedConversation(
    tx: Transaction,
    viewer: Viewer,
    request: StartTurn | Regenerate,
    conversationId: string,
  ): Promise<Pick<NewTurn, 'conversation' | 'assistantId'>> {
    const conversation = await this.conversations.getLocked(
      tx,
      viewer,
      conversationId,
      CONVERSATION_ARGUMENT,
    );
    const { assistantKey } = request;
    if (assistantKey === null) return { conversation, assistantId: conversation.assistantId };
    const assistantId = await this.assistants.findId(tx, assistantKey);
    const isAnew = 'messageId' in request;
    if (isAnew && assistantId === null) throw notFound('assistant', ASSISTANT_ARGUMENT);
    if (assistantId === null || (!isAnew && assistantId !== conversation.assistantId))
      throw badInput(ASSISTANT_ARGUMENT, 'This conversation is with another assistant.');
    return { conversation, assistantId };
  }

  private async newAssistantId(
    tx: Transaction,
    { assistantKey }: Pick<StartTurn, 'assistantKey'>,
  ): Promise<string> {
    if (assistantKey === null) {
      throw badInput(
        ASSISTANT_ARGUMENT,
        'Give a conversationId, or an assistantKey to begin a conversation.',
      );
    }
    const id = await this.assistants.findId(tx, assistantKey);
    if (id === null) throw notFound('assistant', ASSISTANT_ARGUMENT);
    return id;
  }
}

/** Runs in the span that contains all runs of the turn. */
function traced(
  { companyId, id }: Viewer,
  start: () => Promise<StartTurnOutcome>,
): Promise<StartTurnOutcome> {
  const attributes: Attributes = { company: companyId, user: id };
  return inSpan(
    'startTurn',
    () => ({ kind: 'server', attributes }),
    async (span) => {
      const outcome = await start();
      if (outcome.type === 'accepted') {
        const { id: turnId, conversationId } = outcome.turn;
        span?.set({ turn: turnId, conversation: conversationId });
      } else span?.end(outcome.type);
      return outcome;
    },
  );
}
