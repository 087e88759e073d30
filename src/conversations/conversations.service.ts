import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { notFound } from '../common/errors/domain-error.js';
import { isId, newId } from '../common/ids.js';
import { type Page, type PageArguments, pageRequest } from '../common/schema/page.js';
import { Database } from '../database/database.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import type { Conversation, Summary } from './conversation.entity.js';
import { conversationOrder, ConversationRepository } from './conversation.repository.js';
import { messageOrder, MessageRepository, type NewMessage } from './message.repository.js';
import type { Message } from './message.entity.js';
import { type IndexedTurn, MessageIndex } from './indexing/message-index.service.js';
import { isOffTheRecord } from './off-the-record.js';
import { titleOf } from './title.js';

/** Conversations belong to the member who began them: to everybody else they do not exist. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly index: MessageIndex,
  ) {}

  find(viewer: Viewer, id: string): Promise<Conversation | null> {
    return this.findMany(viewer, [id]).then(([conversation]) => conversation ?? null);
  }

  async findMany(viewer: Viewer, ids: readonly string[]): Promise<Conversation[]> {
    const valid = ids.filter(isId);
    if (valid.length === 0) return [];
    return this.database.read(viewer.companyId, (tx) => this.conversations.findMany(tx, viewer.id, valid));
  }

  list(viewer: Viewer, page: PageArguments): Promise<Page<Conversation>> {
    const request = pageRequest(page, conversationOrder);
    return this.database.read(viewer.companyId, (tx) => this.conversations.list(tx, viewer.id, request));
  }

  /** The messages of a conversation that the viewer has been given. */
  listMessages(conversation: Conversation, page: PageArguments): Promise<Page<Message>> {
    const request = pageRequest(page, messageOrder);
    return this.database.read(conversation.companyId, (tx) =>
      this.messages.list(tx, conversation.id, request),
    );
  }

  /** Messages by id, for turns that the viewer has been given. */
  findMessages(viewer: Viewer, ids: readonly string[]): Promise<Message[]> {
    return this.database.read(viewer.companyId, (tx) => this.messages.findMany(tx, ids));
  }

  /** A message of one of the viewer's own conversations. */
  findMessage(viewer: Viewer, id: string): Promise<Message | null> {
    return this.database.read(viewer.companyId, async (tx) => {
      const [message] = await this.messages.findMany(tx, [id]);
      const own = message && (await this.conversations.find(tx, viewer.id, message.conversationId));
      return own ? message : null;
    });
  }

  async add(tx: Transaction, conversation: Conversation): Promise<void> {
    await this.conversations.insert(tx, conversation);
  }

  /** The viewer's conversation, held until `tx` ends. Rejects with NOT_FOUND; `path`: of the argument that names it. */
  async getLocked(
    tx: Transaction,
    viewer: Pick<Viewer, 'id'>,
    id: string,
    path: readonly string[] = [],
  ): Promise<Conversation> {
    const conversation = isId(id) ? await this.conversations.lock(tx, viewer.id, id) : null;
    if (!conversation) throw notFound('conversation', path);
    return conversation;
  }

  /** Holds the conversation, if it is still there, until `tx` ends. */
  async hold(tx: Transaction, id: string): Promise<void> {
    await this.conversations.hold(tx, id);
  }

  /** The same for one in which something is said: it moves to the top of its member's list. */
  async moveUp(tx: Transaction, id: string, at: Date): Promise<void> {
    await this.conversations.touch(tx, id, at);
  }

  async get(tx: Transaction, memberId: string, id: string): Promise<Conversation> {
    const conversation = await this.conversations.find(tx, memberId, id);
    if (!conversation) throw notFound('conversation');
    return conversation;
  }

  /** A message of a turn that the viewer has been given. */
  async findMessageIn(tx: Transaction, id: string): Promise<Message | null> {
    const [message] = await this.messages.findMany(tx, [id]);
    return message ?? null;
  }

  async getMessage(tx: Transaction, id: string): Promise<Message> {
    const message = await this.findMessageIn(tx, id);
    if (!message) throw notFound('message');
    return message;
  }

  /** Stores a question or an answer in a conversation that `tx` has begun or holds. */
  async addMessage(tx: Transaction, message: NewMessage): Promise<void> {
    await this.messages.insert(tx, { ...message, withheld: isOffTheRecord(message.text) });
  }

  /** What was said before the message `id`, oldest first, at most `limit` messages. */
  listBefore(tx: Transaction, conversationId: string, id: string, limit: number): Promise<Message[]> {
    return this.messages.listBefore(tx, conversationId, id, limit);
  }

  /** The question that a conversation began with, and its answer; null: there is none. */
  async findFirstExchange(
    tx: Transaction,
    id: string,
  ): Promise<{ question: Message; answer: Message | null } | null> {
    const [question, next] = await this.messages.listFirst(tx, id, 2);
    if (!question) return null;
    return { question, answer: next?.role === 'ASSISTANT' ? next : null };
  }

  /** Gives the conversation another title than `before`, unless it has got one since. */
  rename(tx: Transaction, id: string, title: { before: string; title: string }): Promise<void> {
    return this.conversations.rename(tx, id, title);
  }

  /** What comes after the message `after` and has left the `window` of recent messages, oldest first. */
  listLeft(
    tx: Transaction,
    id: string,
    request: { after: string | null; window: number; limit: number },
  ): Promise<Message[]> {
    return this.messages.listLeft(tx, id, request);
  }

  /** Those of these messages that are there, oldest first. */
  async listThese(tx: Transaction, ids: readonly string[]): Promise<Message[]> {
    const found = await this.messages.findMany(tx, ids);
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Keeps a summary that goes on from `before`. False: another one did. */
  keepSummary(tx: Transaction, id: string, before: Summary, summary: Summary): Promise<boolean> {
    return this.conversations.keepSummary(tx, id, before, summary);
  }

  /** Has a conversation that `tx` holds be about a project, by its lineage; null: about none. */
  pinProject(tx: Transaction, id: string, activeProjectId: string | null): Promise<void> {
    return this.conversations.pinProject(tx, id, activeProjectId);
  }

  /** Has what a turn has left recalled in other conversations, as part of the transaction that ends it. */
  indexNew(tx: Transaction, turn: IndexedTurn): Promise<void> {
    return this.index.putTurn(tx, turn);
  }

  /** Has messages recalled no more, neither by themselves nor beside others. Unknown ids are passed over. */
  async withhold(tx: Transaction, ids: readonly string[]): Promise<void> {
    const withheld = await this.messages.withhold(tx, ids);
    for (const [memberId, own] of Map.groupBy(withheld, (message) => message.memberId)) {
      await this.index.remove(
        tx,
        memberId,
        own.map(({ id }) => id),
      );
    }
  }

  /** How much of each conversation the index has taken in, in their order, 0 to 1; 0 for one that is not recalled. */
  async indexProgress(viewer: Viewer, ids: readonly string[]): Promise<number[]> {
    return this.database.read(viewer.companyId, async (tx) => {
      const found = await this.conversations.findMany(tx, viewer.id, ids);
      const indexed = found.filter(({ indexedUntil }) => indexedUntil !== null);
      const progress = await together(indexed.map((conversation) => this.index.progress(tx, conversation)));
      const byId = new Map(indexed.map(({ id }, index) => [id, progress[index] ?? 0]));
      return ids.map((id) => byId.get(id) ?? 0);
    });
  }

  /** Removes a conversation with all its messages and turns. Rejects with NOT_FOUND. */
  async delete(tx: Transaction, viewer: Pick<Viewer, 'id'>, id: string): Promise<void> {
    await this.index.removeConversation(tx, { id, memberId: viewer.id });
    if (!(await this.conversations.delete(tx, viewer.id, id))) throw notFound('conversation');
  }
}

/** A conversation of the viewer's that begins with this question, to be stored by `add`. */
export const newConversation = (viewer: Viewer, assistantId: string, firstQuestion: string): Conversation => {
  const now = new Date();
  return {
    companyId: viewer.companyId,
    id: newId(),
    memberId: viewer.id,
    assistantId,
    title: titleOf(firstQuestion),
    summary: null,
    summarisedUntil: null,
    activeProjectId: null,
    indexedUntil: null,
    createdAt: now,
    updatedAt: now,
  };
};
