import { Injectable } from '@nestjs/common';
import { fold } from '@palabre/lexical';
import { z } from 'zod';
import { line } from '@palabre/text';

import { checkInput, optionalNotNull } from '../common/check-input.js';
import { differences } from '../common/differences.js';
import { existing } from '../common/errors/domain-error.js';
import { type Page, type PageArguments, pageRequest } from '../common/schema/page.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import {
  conversationOrder,
  ConversationListRepository,
  messageOrder,
} from './conversation-list.repository.js';
import { type Conversation, ConversationRepository } from './conversation.repository.js';
import type { Message } from './message.repository.js';
import { ConversationStream } from './conversation-stream.js';
import { conversationTopics } from './conversations.events.js';
import { ConversationsService } from './conversations.service.js';
import { MessageSearch } from './recall/message-search.service.js';
import { MAX_TITLE_CHARACTERS } from './title.js';

/** After missed changes, this many of the most recently used conversations are sent again. */
const TOLD_AGAIN = 20;

const Filter = z.object({
  text: line(MAX_TITLE_CHARACTERS).nullish(),
  assistantKey: z.string().nullish(),
  archived: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
});

const Changes = z.object({
  id: z.string(),
  title: optionalNotNull(line(MAX_TITLE_CHARACTERS)),
  archived: optionalNotNull(z.boolean()),
  pinned: optionalNotNull(z.boolean()),
});

@Injectable()
export class ConversationList {
  constructor(
    private readonly database: Database,
    private readonly rows: ConversationListRepository,
    private readonly stored: ConversationRepository,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly pubSub: PubSub,
    private readonly messages: MessageSearch,
  ) {}

  /** Rejects with BAD_USER_INPUT, or with NOT_FOUND for an unknown assistant. */
  async list(viewer: Viewer, given: unknown, page: PageArguments): Promise<Page<Conversation>> {
    const filter = checkInput(Filter, given ?? { archived: false }, ['filter']);
    const request = pageRequest(page, conversationOrder);
    const assistant =
      filter.assistantKey == null ? null : await this.getAssistant(viewer, filter.assistantKey);
    return this.database.read(viewer.companyId, async (tx) => {
      const listed = {
        ...(filter.archived != null && { archived: filter.archived }),
        ...(filter.pinned != null && { pinned: filter.pinned }),
        ...(assistant && { assistantId: assistant.id }),
        ...(filter.text != null && { ids: await this.findByText(tx, viewer, filter.text) }),
      };
      return this.rows.list(tx, viewer.id, listed, request);
    });
  }

  /** The messages on the path to `leaf`, or the shown path. None for other members. Rejects with NOT_FOUND. */
  async listMessages(
    viewer: Viewer,
    conversation: Conversation,
    leaf: string | null,
    page: PageArguments,
  ): Promise<Page<Message>> {
    const request = pageRequest(page, messageOrder);
    if (conversation.memberId !== viewer.id)
      return { request, rows: [], bytes: 0, hasMore: false, keyOf: messageOrder.keyOf };
    return this.database.read(conversation.companyId, async (tx) => {
      if (leaf !== null) await this.conversations.getMessageOf(tx, conversation.id, leaf, ['leaf']);
      return this.rows.listMessages(tx, conversation.id, leaf, request);
    });
  }

  /** Changes title and flags. Rejects with BAD_USER_INPUT or NOT_FOUND. */
  update(viewer: Viewer, input: unknown): Promise<Conversation> {
    const { id, ...given } = checkInput(Changes, input);
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.conversations.getLocked(tx, viewer, id, ['input', 'id']);
      const changes = differences(
        before,
        given.title === undefined ? given : { ...given, titledByMember: true },
      );
      if (Object.keys(changes).length > 0) {
        await this.stored.update(tx, { id }, changes);
        await this.conversations.announce(tx, { memberId: viewer.id, conversationId: id });
      }
      return { ...before, ...changes };
    });
  }

  /** The conversation after each change, until it is deleted. Rejects with NOT_FOUND. Call the stream's return(). */
  follow(viewer: Viewer, id: string): Promise<ConversationStream<Conversation>> {
    return new ConversationStream({
      listen: (onHint, onGap) =>
        this.pubSub.follow(
          conversationTopics.changed(viewer.id),
          (changed) => {
            if (changed === id) onHint(changed);
          },
          onGap,
        ),
      read: () => this.conversations.findMany(viewer, [id]),
      isOne: true,
    }).begin();
  }

  /** Each of the viewer's conversations that changes. The caller must call the stream's return(). */
  followAll(viewer: Viewer): Promise<ConversationStream<Conversation>> {
    return new ConversationStream({
      listen: (...hear) => this.pubSub.follow(conversationTopics.changed(viewer.id), ...hear),
      read: async (ids) => {
        if (ids !== null) return this.conversations.findMany(viewer, ids);
        return (await this.list(viewer, { archived: null }, { first: TOLD_AGAIN })).rows;
      },
      isOne: false,
    }).begin();
  }

  /** The ids of the viewer's conversations that are deleted. The caller must call the stream's return(). */
  followDeleted(viewer: Viewer): Promise<ConversationStream<string>> {
    return new ConversationStream<string>({
      listen: (...hear) => this.pubSub.follow(conversationTopics.deleted(viewer.id), ...hear),
      read: (ids) => Promise.resolve([...(ids ?? [])]),
      isOne: false,
    }).begin();
  }

  private async getAssistant(viewer: Viewer, key: string): Promise<Assistant> {
    return existing(await this.assistants.find(viewer, key), 'assistant', ['filter', 'assistantKey']);
  }

  /** By titles, compared here because the database folds texts differently, and by messages. */
  private async findByText(tx: Transaction, viewer: Viewer, text: string): Promise<string[]> {
    const wanted = fold(text);
    const [titles, found] = await awaitAll([
      this.rows.listTitles(tx, viewer.id),
      this.messages.find(tx, viewer.id, text),
    ]);
    const byTitle = titles.filter(({ title }) => fold(title).includes(wanted)).map(({ id }) => id);
    const byMessage = found.filter(({ score }) => score === 1).map(({ conversationId }) => conversationId);
    return [...new Set([...byTitle, ...byMessage])];
  }
}
