import { Injectable } from '@nestjs/common';
import { isOffTheRecord } from '@palabre/text';

import { existing, notFound } from '../common/errors/domain-error.js';
import { isId, newId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import { type Conversation, ConversationRepository } from './conversation.repository.js';
import { conversationDeleted, conversationTopics, messagesWithheld } from './conversations.events.js';
import { type Message, type Answer, MessageRepository } from './message.repository.js';
import { MessagePathRepository } from './message-path.repository.js';
import { MessageTreeRepository } from './message-tree.repository.js';
import { titleOf } from './title.js';

/** Conversations belong to the member who began them. For others they do not exist. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly paths: MessagePathRepository,
    private readonly tree: MessageTreeRepository,
    private readonly events: DomainEvents,
    private readonly pubSub: PubSub,
  ) {}

  /** Notifies the member's subscribers, once `tx` commits, that the conversation has changed. */
  announce(
    tx: Transaction,
    { memberId, conversationId }: { memberId: string; conversationId: string },
  ): Promise<void> {
    return this.pubSub.publish(tx, conversationTopics.changed(memberId), conversationId);
  }

  find(viewer: Viewer, id: string): Promise<Conversation | null> {
    return this.findMany(viewer, [id]).then(([conversation]) => conversation ?? null);
  }

  async findMany(viewer: Viewer, ids: readonly string[]): Promise<Conversation[]> {
    const valid = ids.filter(isId);
    if (valid.length === 0) return [];
    return this.database.read(viewer.companyId, (tx) =>
      this.conversations.list(tx, { memberId: viewer.id, id: valid }),
    );
  }

  /** Any conversations of the viewer's company, without content if they are other members'. */
  async findOfCompany(viewer: Viewer, ids: readonly string[]): Promise<Conversation[]> {
    const found = await this.database.read(viewer.companyId, (tx) =>
      this.conversations.list(tx, { id: ids }),
    );
    return found.map((conversation) =>
      conversation.memberId === viewer.id
        ? conversation
        : { ...conversation, title: null, activeProjectId: null },
    );
  }

  /** A message of the conversation. Rejects with NOT_FOUND; `path`: the argument with its id. */
  async getMessageOf(
    tx: Transaction,
    conversationId: string,
    id: string,
    path: readonly string[],
  ): Promise<Message> {
    const message = isId(id) ? await this.findMessageIn(tx, id) : null;
    if (message?.conversationId !== conversationId) throw notFound('message', path);
    return message;
  }

  /** A message of one of the viewer's own conversations. Rejects with NOT_FOUND; `path`: the argument with its id. */
  async getOwnMessage(
    tx: Transaction,
    viewer: Pick<Viewer, 'id'>,
    id: string,
    path: readonly string[],
  ): Promise<Message> {
    return existing(await this.findOwn(tx, viewer, id), 'message', path);
  }

  /** The last message of the path that each conversation shows, in the order of `ids`. Null: no message yet. */
  findHeads(viewer: Viewer, ids: readonly string[]): Promise<(Message | null)[]> {
    return this.database.read(viewer.companyId, (tx) =>
      awaitAll(ids.map((id) => this.paths.listLastShown(tx, id, 1).then(([head]) => head ?? null))),
    );
  }

  /** The summary of the path that each conversation shows, in the order of `ids`. */
  async findSummaries(viewer: Viewer, ids: readonly string[]): Promise<(string | null)[]> {
    const found = await this.database.read(viewer.companyId, (tx) => this.paths.listShownSummaries(tx, ids));
    const byConversation = new Map(found.map(({ conversationId, text }) => [conversationId, text]));
    return ids.map((id) => byConversation.get(id) ?? null);
  }

  /** Messages by id. The caller has checked access to their turns. */
  findMessages(viewer: Viewer, ids: readonly string[]): Promise<Message[]> {
    return this.database.read(viewer.companyId, (tx) => this.messages.list(tx, { id: ids }));
  }

  findMessage(viewer: Viewer, id: string): Promise<Message | null> {
    return this.database.read(viewer.companyId, (tx) => this.findOwn(tx, viewer, id));
  }

  private async findOwn(tx: Transaction, viewer: Pick<Viewer, 'id'>, id: string): Promise<Message | null> {
    const message = isId(id) ? await this.findMessageIn(tx, id) : null;
    const own =
      message && (await this.conversations.find(tx, { memberId: viewer.id, id: message.conversationId }));
    return own ? message : null;
  }

  /** The viewer's conversation, locked until `tx` ends. Rejects with NOT_FOUND; `path`: the argument with its id. */
  async getLocked(
    tx: Transaction,
    viewer: Pick<Viewer, 'id'>,
    id: string,
    path: readonly string[] = [],
  ): Promise<Conversation> {
    return existing(
      isId(id) ? await this.conversations.lock(tx, { memberId: viewer.id, id }) : null,
      'conversation',
      path,
    );
  }

  /** The id, if the viewer has such a conversation. */
  async findId(tx: Transaction, viewer: Pick<Viewer, 'id'>, id: string): Promise<string | null> {
    return (await this.conversations.find(tx, { memberId: viewer.id, id }))?.id ?? null;
  }

  findOwned(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return this.conversations.find(tx, { memberId, id });
  }

  async get(tx: Transaction, memberId: string, id: string): Promise<Conversation> {
    return existing(await this.findOwned(tx, memberId, id), 'conversation');
  }

  /** A message by id. The caller has checked access to its turn. */
  async findMessageIn(tx: Transaction, id: string): Promise<Message | null> {
    const [message] = await this.messages.list(tx, { id: [id] });
    return message ?? null;
  }

  async getMessage(tx: Transaction, id: string): Promise<Message> {
    return existing(await this.findMessageIn(tx, id), 'message');
  }

  /** Stores an answer. Locks its conversation, and moves it to the top of its member's list. */
  async addAnswer(tx: Transaction, answer: Answer): Promise<void> {
    await this.messages.insertAnswer(tx, { ...answer, withheld: isOffTheRecord(answer.text) });
  }

  /** The first question of the shown path, with its answer. Null: no messages. */
  async findFirstExchange(
    tx: Transaction,
    id: string,
  ): Promise<{ question: Message; answer: Message | null } | null> {
    const [question, next] = await this.paths.listFirstShown(tx, id, 2);
    if (!question) return null;
    return { question, answer: next?.role === 'ASSISTANT' ? next : null };
  }

  /** Gives a conversation the title of its first question, unless its member gave it one. Returns its title. */
  async retitle(tx: Transaction, conversation: Conversation, question: string): Promise<string | null> {
    if (conversation.titledByMember) return conversation.title;
    const title = titleOf(question);
    await this.setTitle(tx, conversation.id, title);
    return title;
  }

  /** Sets a conversation's title. Null: none. Does nothing if the member chose the title, or it is not `before`. */
  async setTitle(tx: Transaction, id: string, title: string | null, before?: string): Promise<void> {
    const memberId = await this.conversations.setTitle(tx, id, title, before);
    if (memberId !== null) await this.announce(tx, { memberId, conversationId: id });
  }

  /** These messages, as far as they exist, oldest first. */
  async listByIds(tx: Transaction, ids: readonly string[]): Promise<Message[]> {
    const found = await this.messages.list(tx, { id: ids });
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Pins a project, by its lineage id, to a conversation that `tx` has locked; null: unpins it. Returns it as it is now. */
  async pinProject(
    tx: Transaction,
    conversation: Conversation,
    activeProjectId: string | null,
  ): Promise<Conversation> {
    await this.conversations.update(tx, { id: conversation.id }, { activeProjectId });
    return { ...conversation, activeProjectId };
  }

  /** Excludes messages from recall, and from titles made of them. Unknown ids are ignored. */
  async withhold(tx: Transaction, ids: readonly string[]): Promise<void> {
    const withheld = await this.messages.withhold(tx, ids);
    for (const [memberId, own] of Map.groupBy(withheld, (message) => message.memberId))
      await this.events.emit(tx, messagesWithheld, { memberId, ids: own.map(({ id }) => id) });
    await this.untitle(tx, withheld);
  }

  /**
   * Excludes a question without an answer from recall until it is answered to the end. If it is not shown, the title
   * becomes that of the first question shown.
   */
  async withdraw(
    tx: Transaction,
    {
      memberId,
      conversationId,
      questionId: id,
    }: { memberId: string; conversationId: string; questionId: string },
  ): Promise<void> {
    if (!(await this.messages.withdraw(tx, conversationId, id))) return;
    await this.events.emit(tx, messagesWithheld, { memberId, ids: [id] });
    await this.untitle(tx, [{ id, conversationId }]);
  }

  /** A title is made of a first question and its answer, perhaps of versions that are no longer shown. */
  private async untitle(
    tx: Transaction,
    withheld: readonly { id: string; conversationId: string }[],
  ): Promise<void> {
    const parentsOf = (ids: readonly string[]): Promise<Map<string, string | null>> =>
      ids.length === 0 ? Promise.resolve(new Map()) : this.tree.findParents(tx, ids);
    const parents = await parentsOf(withheld.map(({ id }) => id));
    const before = await parentsOf([...parents.values()].filter((id) => id !== null));
    const first = withheld.filter(({ id }) => !before.get(parents.get(id) ?? ''));
    for (const id of new Set(first.map(({ conversationId }) => conversationId))) {
      const question = (await this.findFirstExchange(tx, id))?.question;
      if (question) await this.setTitle(tx, id, question.withheld ? null : titleOf(question.text));
    }
  }

  /** Removes a conversation with all its messages and turns. Rejects with NOT_FOUND. */
  async delete(tx: Transaction, viewer: Pick<Viewer, 'id'>, id: string): Promise<void> {
    await this.events.emit(tx, conversationDeleted, { id, memberId: viewer.id });
    if (!(await this.conversations.delete(tx, { memberId: viewer.id, id }))) throw notFound('conversation');
    await this.announce(tx, { memberId: viewer.id, conversationId: id });
    await this.pubSub.publish(tx, conversationTopics.deleted(viewer.id), id);
  }
}

/** A new conversation for this question, not stored yet. */
export function newConversation(
  viewer: Viewer,
  assistantId: string,
  firstQuestion: string,
  id = newId(),
): Conversation {
  const now = new Date();
  return {
    companyId: viewer.companyId,
    id,
    memberId: viewer.id,
    assistantId,
    title: titleOf(firstQuestion),
    titledByMember: false,
    archived: false,
    pinned: false,
    shownBranchId: id,
    activeProjectId: null,
    indexedUntil: null,
    createdAt: now,
    updatedAt: now,
  };
}
