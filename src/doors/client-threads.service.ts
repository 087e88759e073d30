import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { v5 } from 'uuid';

import { badInput, DomainError, notFound } from '../common/errors/domain-error.js';
import { isId, parseId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.entity.js';
import { MessageTree } from '../conversations/message-tree.service.js';
import type { PendingInput } from '../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../conversations/turns/inputs/pending-inputs.service.js';
import type { WhenBusy } from '../conversations/turns/start/start-turn.js';
import { TurnStarts } from '../conversations/turns/start/turn-starts.service.js';
import { isWaiting, keepsBusy } from '../conversations/turns/turn-event.js';
import type { Turn } from '../conversations/turns/turn.entity.js';
import { TurnsService } from '../conversations/turns/turns.service.js';
import type { ClientTools } from './client-tools.js';
import { type InlineFile, InlineFiles } from './inline-files.service.js';

/** A thread of a client: one conversation, once there is one. */
export interface Thread {
  assistantKey: string;
  /** Null: nothing was asked in it yet. */
  conversation: Conversation | null;
  /** That of the conversation, also before there is one. */
  id: string;
}

/** A message as a client sends it. What assistants are said to have said is not read: only the ids of their messages are. */
export interface SentMessage {
  id: string;
  role: string;
  text: string;
  files: readonly InlineFile[];
}

export interface SentQuestion {
  /** The client's history, which ends with the question. */
  messages: readonly SentMessage[];
  tools: ClientTools;
  /** Names the request, so that it is carried out once however often it is sent; null: it has no name. */
  requestId: string | null;
  /** Null: as the conversation needs it. */
  whenBusy: WhenBusy | null;
  /** Where a question stands whose history has no message of the conversation. */
  withoutHistory: 'begins' | 'follows';
  signal: AbortSignal;
}

/** An answer to what a turn waits for, as PendingInputs takes it. */
export interface SentAnswer {
  input: PendingInput;
  answer: Readonly<Record<string, unknown>>;
}

/** Of a client's history, so many messages are looked at. */
const MAX_HISTORY = 50;

type Place =
  | { kind: 'again'; message: Message }
  | { kind: 'instead'; message: Message }
  | { kind: 'after'; message: Message }
  | { kind: 'end' };

/**
 * Conversations as clients know them that keep the history themselves: by an id that they have chosen, and with the
 * whole history in each request.
 */
@Injectable()
export class ClientThreads {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly tree: MessageTree,
    private readonly starts: TurnStarts,
    private readonly turns: TurnsService,
    private readonly inputs: PendingInputs,
    private readonly files: InlineFiles,
  ) {}

  /**
   * The viewer's thread of this id: that of one of their conversations, or one that the client has chosen. It stands for
   * one conversation then, whose id is made of it: nobody else's, and no other assistant's.
   */
  async find(viewer: Viewer, assistantKey: string, threadId: string): Promise<Thread> {
    const own = v5(`${assistantKey}/${threadId}`, viewer.id);
    const named = parseId(threadId);
    const found = await this.conversations.findMany(viewer, named === null ? [own] : [named, own]);
    const conversation = found.find(({ id }) => id === named) ?? found[0] ?? null;
    return { assistantKey, conversation, id: conversation?.id ?? own };
  }

  /** The turns of the thread that have not ended, oldest first. */
  async listUnfinished(viewer: Viewer, { conversation }: Thread): Promise<Turn[]> {
    return conversation ? this.turns.listUnfinished(viewer, [conversation.id]) : [];
  }

  /** The last messages of the path that is shown, oldest first. */
  async listShown(viewer: Viewer, { conversation }: Thread, last: number): Promise<Message[]> {
    return conversation
      ? (await this.conversations.listMessages(viewer, conversation, null, { last })).rows
      : [];
  }

  /** What the thread's turns have asked for that have not ended. */
  async listAsked(viewer: Viewer, thread: Thread): Promise<PendingInput[]> {
    const waiting = (await this.listUnfinished(viewer, thread)).filter(({ status }) => isWaiting(status));
    return this.inputs.listOf(
      viewer,
      waiting.map(({ id }) => id),
    );
  }

  /** What one of the thread's turns has asked for. Rejects with NOT_FOUND. */
  async getAsked(
    viewer: Viewer,
    { conversation }: Thread,
    id: string,
    path: string[],
  ): Promise<PendingInput> {
    const input = await this.inputs.find(viewer, id);
    const turn = input && (await this.turns.find(viewer, input.turnId));
    if (!turn || turn.conversationId !== conversation?.id) throw notFound('pending input', path);
    return input;
  }

  /**
   * Gives a turn what it waits for, and returns it. What was answered otherwise, or too late, is left as it is: the
   * turn's events tell. Rejects with BAD_USER_INPUT or FORBIDDEN, with whatever came before the bad one given.
   */
  async answer(viewer: Viewer, answers: readonly [SentAnswer, ...SentAnswer[]]): Promise<Turn> {
    for (const { answer } of answers) {
      await this.inputs.answer(viewer, answer).catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'CONFLICT')) throw error;
      });
    }
    return this.turns.get(viewer, answers[0].input.turnId);
  }

  /**
   * The turn that answers the last of the messages: a new one, in the place that follows from the history, or if the
   * question was sent before the one that answers it, or answers it anew. Rejects as startTurn does, and with CONFLICT.
   */
  async ask(viewer: Viewer, thread: Thread, question: SentQuestion): Promise<Turn> {
    const asked = question.messages.at(-1);
    if (asked?.role !== 'user') throw badInput(['messages'], 'The last message has to be a user’s.');
    const idempotencyKey = question.requestId && keyOf(thread.id, question.requestId);
    const earlier = idempotencyKey && (await this.turns.findStarted(viewer, idempotencyKey));
    if (earlier) return this.sameQuestion(viewer, earlier, asked);
    const unfinished = await this.listUnfinished(viewer, thread);
    const place = await this.placeOf(viewer, thread, { ...question, asked }, unfinished);
    const whenBusy = question.whenBusy ?? whenBusyWith(unfinished);
    const { assistantKey } = thread;
    if (place.kind === 'again') {
      const messageId = place.message.id;
      const underWay = unfinished.findLast(({ questionId }) => questionId === messageId);
      if (underWay) return underWay;
      return accepted(
        await this.starts.regenerate(viewer, { messageId, assistantKey, whenBusy, idempotencyKey }),
      );
    }
    const conversationId = thread.conversation?.id ?? null;
    const attachmentIds: string[] = [];
    for (const file of asked.files) {
      attachmentIds.push(await this.files.attach(viewer, file, conversationId, question.signal));
    }
    const input = {
      conversationId,
      assistantKey,
      message: asked.text,
      attachmentIds,
      clientSkills: question.tools.skills,
      whenBusy,
      idempotencyKey,
      ...(place.kind === 'instead' && { replacesMessageId: place.message.id }),
      ...(place.kind === 'after' && { parentId: place.message.id }),
    };
    return accepted(await this.starts.start(viewer, input, { begins: thread.id }));
  }

  /** The turn that a request of this name has started. */
  async findAsked(viewer: Viewer, thread: Thread, requestId: string): Promise<Turn | null> {
    return this.turns.findStarted(viewer, keyOf(thread.id, requestId));
  }

  /** Has the last answer of the thread given once more, or that one. Rejects with NOT_FOUND. */
  async askAgain(
    viewer: Viewer,
    thread: Thread,
    { messageId, requestId }: { messageId: string | null; requestId: string | null },
  ): Promise<Turn> {
    const named = messageId === null ? undefined : (await this.known(viewer, thread, [messageId]))[0];
    const message = named ?? (await this.listShown(viewer, thread, 1))[0];
    if (!message) throw notFound('message', ['messageId']);
    const idempotencyKey = requestId && keyOf(thread.id, requestId);
    const whenBusy = whenBusyWith(await this.listUnfinished(viewer, thread));
    return accepted(
      await this.starts.regenerate(viewer, { messageId: message.id, whenBusy, idempotencyKey }),
    );
  }

  private async sameQuestion(viewer: Viewer, turn: Turn, { text }: SentMessage): Promise<Turn> {
    const [question] = await this.conversations.findMessages(viewer, [turn.questionId]);
    if (question?.text === stored(text)) return turn;
    throw new DomainError('CONFLICT', 'This id was used for another question.', { turnId: turn.id });
  }

  /**
   * Where the question stands. The last message before it that has one of our ids is one that the conversation has; from
   * there the user's messages are found by their texts. Our ids are those of answers, which clients are told, so that it
   * does not matter which ids clients give to questions.
   */
  private async placeOf(
    viewer: Viewer,
    { conversation }: Thread,
    { messages, asked, withoutHistory }: SentQuestion & { asked: SentMessage },
    unfinished: readonly Turn[],
  ): Promise<Place> {
    if (!conversation) return { kind: 'end' };
    const said = messages.filter(({ role }) => role === 'user' || role === 'assistant');
    const history = said.slice(-MAX_HISTORY - 1, -1);
    const ids = [...history, asked].map(({ id }) => id);
    const known = await this.known(viewer, { conversation }, ids);
    const itself = known.at(-1);
    if (itself?.role === 'USER') {
      return { kind: isSame(itself, asked) ? 'again' : 'instead', message: itself };
    }
    const at = history.findLastIndex((_, index) => known[index] !== undefined);
    let before = known[at] ?? null;
    for (const { role, text } of history.slice(at + 1)) {
      if (role !== 'user') continue;
      before = (await this.tree.findQuestionAfter(viewer, conversation, before, stored(text))) ?? before;
    }
    const same = await this.tree.findQuestionAfter(viewer, conversation, before, stored(asked.text));
    if (same && isSame(same, asked)) return { kind: 'again', message: same };
    // Its answer is still to come, and belongs between both.
    if (unfinished.some(({ questionId }) => questionId === before?.id)) return { kind: 'end' };
    if (before) return { kind: 'after', message: before };
    if (withoutHistory === 'follows') return { kind: 'end' };
    const [first] = (await this.conversations.listMessages(viewer, conversation, null, { first: 1 })).rows;
    return first?.role === 'USER' ? { kind: 'instead', message: first } : { kind: 'end' };
  }

  /** The conversation's messages of these ids, as clients know them, each in the place of its id. */
  private async known(
    viewer: Viewer,
    { conversation }: Pick<Thread, 'conversation'>,
    ids: readonly string[],
  ): Promise<(Message | undefined)[]> {
    const own = ids.map(ownIdOf);
    const found = await this.conversations.findMessages(
      viewer,
      own.filter((id) => id !== null),
    );
    const byId = new Map(found.map((message) => [message.id, message]));
    return own.map((id) => {
      const message = byId.get(id ?? '');
      return message?.conversationId === conversation?.id ? message : undefined;
    });
  }
}

/** Who asks instead of giving what a turn waits for does not mean to wait for it. */
function whenBusyWith(unfinished: readonly Turn[]): WhenBusy {
  const isWaited = unfinished.some((turn) => isWaiting(turn.status) && keepsBusy(turn));
  return isWaited ? 'INTERRUPT' : 'ENQUEUE';
}

/** The id of an answer begins those of the messages that clients are told it as; null: it is no id of ours. */
function ownIdOf(id: string): string | null {
  const [own = ''] = id.split(':', 1);
  return isId(own) ? own : null;
}

function keyOf(threadId: string, requestId: string): string {
  return `door:${createHash('sha256').update(`${threadId}/${requestId}`).digest('hex')}`;
}

/** As a question's text is stored. */
function stored(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function isSame({ text, attachmentIds }: Message, sent: SentMessage): boolean {
  return text === stored(sent.text) && (attachmentIds ?? []).length === sent.files.length;
}

function accepted(outcome: Awaited<ReturnType<TurnStarts['start']>>): Turn {
  switch (outcome.type) {
    case 'accepted':
      return outcome.turn;
    case 'quota-exceeded':
      throw new DomainError('RATE_LIMITED', outcome.message, { resetsAt: outcome.resetsAt });
    case 'in-progress':
      throw new DomainError('CONFLICT', outcome.message, { turnId: outcome.activeTurn.id });
    case 'idempotency-conflict':
      throw new DomainError('CONFLICT', outcome.message, { turnId: outcome.firstTurn.id });
  }
}
