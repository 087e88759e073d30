import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v5 } from 'uuid';
import type { JsonObject } from '@palabre/json';

import { badInput, DomainError, existing } from '../common/errors/domain-error.js';
import { parseId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Conversation } from '../conversations/conversation.repository.js';
import { ConversationList } from '../conversations/conversation-list.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.repository.js';
import type { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../conversations/turns/inputs/pending-inputs.service.js';
import {
  ATTACHMENTS_ARGUMENT,
  MAX_ATTACHMENTS,
  type WhenBusy,
} from '../conversations/turns/start/start-turn.js';
import { refusalMessage } from '../conversations/turns/start/start-refusal.js';
import type { Asking } from '../conversations/turns/start/turn-creation.service.js';
import { TurnStarts } from '../conversations/turns/start/turn-starts.service.js';
import type { SkillCall } from '../conversations/turns/skill-call.entity.js';
import { isWaiting, keepsBusy } from '../conversations/turns/turn-event.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { TurnsService } from '../conversations/turns/turns.service.js';
import type { ClientTools } from './client-tools.js';
import { type InlineFile, InlineFiles } from './inline-files.service.js';
import { type Place, QuestionPlaces, type SentMessage } from './question-places.service.js';
import { wellFormed } from '../common/well-formed.js';

/** A client's thread, which becomes a conversation. */
export interface Thread {
  assistantKey: string;
  /** Null: no question yet. */
  conversation: Conversation | null;
  /** The conversation's id, even before it exists. */
  id: string;
}

/** A client's question, in any protocol. */
interface Question {
  assistantKey: string;
  text: string;
  files: readonly InlineFile[];
  clientSkills: readonly object[];
  answerSchema?: JsonObject | null;
  idempotencyKey: string | null;
  /** Null: depends on the conversation. */
  whenBusy?: WhenBusy | null;
  asking?: Asking;
}

/** A question of a client that knows message ids. */
interface SentQuestion {
  /** The client's history, with the question at its end. */
  messages: readonly SentMessage[];
  tools: ClientTools;
  /** The name of the request, which is processed once however often it is sent. Null: none. */
  requestId: string | null;
  /** Null: depends on the conversation. */
  whenBusy: WhenBusy | null;
  /** The position of a question whose history has no message of the conversation. */
  withoutHistory: 'begins' | 'follows';
  signal: AbortSignal;
}

export interface SentAnswer {
  input: PendingInput;
  answer: Readonly<Record<string, unknown>>;
}

/** Conversations and questions of clients of other protocols, which choose their own ids. */
@Injectable()
export class ClientThreads {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly lists: ConversationList,
    private readonly places: QuestionPlaces,
    private readonly starts: TurnStarts,
    private readonly turns: TurnsService,
    private readonly inputs: PendingInputs,
    private readonly files: InlineFiles,
  ) {}

  /**
   * The viewer's thread of this id: one of their conversations, or an id that the client chose. Such an id determines
   * the conversation's id, unique for this viewer and assistant.
   */
  async find(viewer: Viewer, assistantKey: string, threadId: string): Promise<Thread> {
    // UTF-8 has no lone surrogates, so ids that differ in these alone are one conversation's on purpose.
    const own = v5(`${assistantKey}/${threadId}`.toWellFormed(), viewer.id);
    const named = parseId(threadId);
    const found = await this.conversations.findMany(viewer, named === null ? [own] : [named, own]);
    const conversation = found.find(({ id }) => id === named) ?? found[0] ?? null;
    return { assistantKey, conversation, id: conversation?.id ?? own };
  }

  /** The thread's turns that have not ended, oldest first. */
  async listUnfinished(viewer: Viewer, { conversation }: Pick<Thread, 'conversation'>): Promise<Turn[]> {
    return conversation ? this.turns.listUnfinished(viewer, [conversation.id]) : [];
  }

  /** The last messages of the shown path, oldest first. */
  async listShown(viewer: Viewer, { conversation }: Thread, last: number): Promise<Message[]> {
    return conversation ? (await this.lists.listMessages(viewer, conversation, null, { last })).rows : [];
  }

  /** The skill calls of the last shown messages' turns. */
  async listCalls(viewer: Viewer, thread: Thread, last: number): Promise<SkillCall[]> {
    const shown = await this.listShown(viewer, thread, last);
    const ids = shown.flatMap(({ turnId }) => turnId ?? []);
    return this.turns.listSkillCalls(viewer, [...new Set(ids)]);
  }

  /** The inputs of the thread's running turns and of the last answered one, answered or not. */
  async listAsked(viewer: Viewer, thread: Thread): Promise<PendingInput[]> {
    const unfinished = await this.listUnfinished(viewer, thread);
    const [shown] = await this.listShown(viewer, thread, 1);
    return this.inputs.listOf(viewer, [
      ...unfinished.map(({ id }) => id),
      ...(shown?.turnId ? [shown.turnId] : []),
    ]);
  }

  /**
   * Answers a turn's inputs, and returns the turn. Answers that are too late or repeated are ignored, because the
   * events show the outcome. Rejects with BAD_USER_INPUT or FORBIDDEN; answers before the bad one count.
   */
  async answer(viewer: Viewer, answers: readonly [SentAnswer, ...SentAnswer[]]): Promise<Turn> {
    for (const { answer } of answers.filter(({ input }) => input.status === 'PENDING')) {
      await this.inputs.answer(viewer, answer).catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'CONFLICT')) throw error;
      });
    }
    return this.turns.get(viewer, answers[0].input.turnId);
  }

  /**
   * The turn for the last message: a new one at the position that the history determines, or an existing one if the
   * question was sent before, or a regenerated answer. Rejects like startTurn, and with CONFLICT.
   */
  async ask(viewer: Viewer, thread: Thread, question: SentQuestion): Promise<Turn> {
    const { messages, tools, requestId, signal } = question;
    const asked = messages.at(-1);
    if (asked?.role !== 'user') throw badInput(['messages'], 'The last message has to be a user’s.');
    const idempotencyKey = requestId && keyOf(thread.id, requestId);
    const earlier = idempotencyKey && (await this.turns.findStarted(viewer, idempotencyKey));
    if (earlier) return this.sameQuestion(viewer, earlier, asked);
    const { conversation, assistantKey } = thread;
    const unfinished = await this.listUnfinished(viewer, thread);
    const { same, ...place } = conversation
      ? await this.places.byIds(viewer, conversation, messages, { ...question, unfinished })
      : { conversationId: null, same: undefined };
    const whenBusy = question.whenBusy ?? whenBusyWith(unfinished);
    if (same) {
      const underWay = unfinished.findLast(({ questionId }) => questionId === same.id);
      if (underWay) return underWay;
      const again = { messageId: same.id, assistantKey, whenBusy, idempotencyKey };
      return accepted(await this.starts.regenerate(viewer, again));
    }
    const { text, files } = asked;
    const client = { hash: hashOf(asked), instructions: null, echo: { toolNames: tools.namesByKey } };
    const asking = { begins: thread.id, client };
    const sent = { assistantKey, text, files, clientSkills: tools.skills, idempotencyKey, whenBusy, asking };
    return this.start(viewer, place, sent, signal);
  }

  /** Starts the turn of a question. Rejects like startTurn, and with CONFLICT. */
  async start(
    viewer: Viewer,
    { conversationId, ...place }: Place,
    { text, files, whenBusy, asking, ...question }: Question,
    signal: AbortSignal,
  ): Promise<Turn> {
    if (files.length > MAX_ATTACHMENTS)
      throw badInput(ATTACHMENTS_ARGUMENT, `At most ${MAX_ATTACHMENTS} files.`);
    const attachmentIds: string[] = [];
    for (const file of files)
      attachmentIds.push(await this.files.attach(viewer, file, conversationId, signal));
    const unfinished =
      whenBusy || conversationId === null ? [] : await this.turns.listUnfinished(viewer, [conversationId]);
    const input = {
      ...place,
      ...question,
      conversationId,
      message: text,
      attachmentIds,
      whenBusy: whenBusy ?? whenBusyWith(unfinished),
    };
    return accepted(await this.starts.start(viewer, input, asking));
  }

  /** Cancels a turn of the thread: that of the named request, or else the active one. */
  async stop(
    viewer: Viewer,
    thread: Thread,
    requestId: string | null,
  ): Promise<{ turnId: string; status: Turn['status'] }> {
    const named = requestId && (await this.turns.findStarted(viewer, keyOf(thread.id, requestId)));
    const unfinished = await this.listUnfinished(viewer, thread);
    const turn = existing(named || (unfinished.find(keepsBusy) ?? unfinished.at(-1)), 'turn under way');
    const { id: turnId, status } = await this.turns.cancel(viewer, turn.id);
    return { turnId, status };
  }

  /** Regenerates the thread's last answer, or the given one. Rejects with NOT_FOUND. */
  async askAgain(
    viewer: Viewer,
    thread: Thread,
    { messageId, requestId }: { messageId: string | null; requestId: string | null },
  ): Promise<Turn> {
    const ids = messageId === null ? [] : [messageId];
    const [named] = await this.places.known(viewer, thread.conversation, ids);
    const message = existing(named ?? (await this.listShown(viewer, thread, 1))[0], 'message', ['messageId']);
    const idempotencyKey = requestId && keyOf(thread.id, requestId);
    const whenBusy = whenBusyWith(await this.listUnfinished(viewer, thread));
    return accepted(
      await this.starts.regenerate(viewer, { messageId: message.id, whenBusy, idempotencyKey }),
    );
  }

  private async sameQuestion(viewer: Viewer, turn: Turn, { text }: SentMessage): Promise<Turn> {
    const [question] = await this.conversations.findMessages(viewer, [turn.questionId]);
    if (question?.text === wellFormed(text)) return turn;
    throw usedOtherwise(turn);
  }
}

/** A client that asks a question instead of answering an input does not want to wait. */
function whenBusyWith(unfinished: readonly Turn[]): WhenBusy {
  const isWaited = unfinished.some((turn) => isWaiting(turn.status) && keepsBusy(turn));
  return isWaited ? 'INTERRUPT' : 'ENQUEUE';
}

function keyOf(threadId: string, requestId: string): string {
  return `door:${createHash('sha256').update(`${threadId}/${requestId}`).digest('hex')}`;
}

function hashOf({ text, files }: SentMessage): string {
  const hash = createHash('sha256').update(text);
  for (const { name, bytes } of files) hash.update(name).update(bytes);
  return hash.digest('hex');
}

function accepted(outcome: Awaited<ReturnType<TurnStarts['start']>>): Turn {
  switch (outcome.type) {
    case 'accepted':
      return outcome.turn;
    case 'quota-exceeded':
      throw new DomainError('RATE_LIMITED', refusalMessage(outcome), { resetsAt: outcome.resetsAt });
    case 'in-progress':
      throw new DomainError('CONFLICT', refusalMessage(outcome), { turnId: outcome.activeTurn.id });
    case 'idempotency-conflict':
      throw usedOtherwise(outcome.firstTurn);
  }
}

export function usedOtherwise({ id }: Turn): DomainError {
  return new DomainError('CONFLICT', 'This key was used for another question.', { turnId: id });
}
