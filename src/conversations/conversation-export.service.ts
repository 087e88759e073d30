import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { JsonObject } from '../common/json.js';
import { EXPORT_PAGE, type ExportPage, MemberData, pageById } from '../companies/members/member-data.js';
import type { Transaction } from '../platform/database/transaction.js';
import { ConversationRepository } from './conversation.repository.js';
import type { Message } from './message.entity.js';
import { partsOf } from './message-part.js';
import { MessageRepository } from './message.repository.js';
import { MessageTreeRepository } from './message-tree.repository.js';

@Injectable()
export class ConversationExport implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly tree: MessageTreeRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('conversations', async (tx, memberId, after) => {
      const found = await this.conversations.listAfter(tx, memberId, after, EXPORT_PAGE);
      const ids = found.map(({ id }) => id);
      const kept = await this.conversations.listShownSummaries(tx, ids);
      const summaries = new Map(kept.map(({ conversationId, text }) => [conversationId, text]));
      const told = found.map((row) => ({ ...row, summary: summaries.get(row.id) ?? null }));
      return pageById(told, [
        'id',
        'assistantId',
        'title',
        'archived',
        'pinned',
        'summary',
        'createdAt',
        'updatedAt',
      ]);
    });
    this.data.onExport('messages', (tx, memberId, after) => this.readMessages(tx, memberId, after));
  }

  /** A page of messages of one conversation. `next` holds the conversation's id and the last message's. */
  private async readMessages(tx: Transaction, memberId: string, after: string | null): Promise<ExportPage> {
    const [conversationId = null, messageId = null] = after?.split(' ') ?? [];
    if (conversationId !== null && messageId !== null) {
      const messages = await this.messages.listAfter(tx, conversationId, messageId, EXPORT_PAGE);
      if (messages.length > 0) return this.pageOf(tx, messages);
    }
    for (let before = conversationId; ;) {
      const [conversation] = await this.conversations.listAfter(tx, memberId, before, 1);
      if (!conversation) return { items: [], next: null };
      const messages = await this.messages.listAfter(tx, conversation.id, null, EXPORT_PAGE);
      if (messages.length > 0) return this.pageOf(tx, messages);
      before = conversation.id;
    }
  }

  private async pageOf(tx: Transaction, messages: readonly Message[]): Promise<ExportPage> {
    const parents = await this.tree.findParents(
      tx,
      messages.map(({ id }) => id),
    );
    const last = messages.at(-1);
    return {
      items: messages.map((message) => itemOf(message, parents.get(message.id) ?? null)),
      next: last ? `${last.conversationId} ${last.id}` : null,
    };
  }
}

function itemOf(message: Message, parentId: string | null): JsonObject {
  return {
    id: message.id,
    conversationId: message.conversationId,
    parentId,
    role: message.role,
    status: message.status,
    author: message.author,
    text: message.text,
    parts: message.parts && partsOf(message),
    attachmentIds: message.attachmentIds,
    citations: message.citations.map((citation) => ({ ...citation })),
    createdAt: message.createdAt.toISOString(),
  };
}
