import { Injectable, type OnModuleInit } from '@nestjs/common';

import { EXPORT_PAGE, type ExportPage, MemberData, pageById } from '../companies/members/member-data.js';
import type { Transaction } from '../platform/database/transaction.js';
import { ConversationRepository } from './conversation.repository.js';
import { type Message, MessageRepository } from './message.repository.js';
import { MessagePathRepository } from './message-path.repository.js';
import { partsOf } from './message-part.js';
import { MessageTreeRepository } from './message-tree.repository.js';

@Injectable()
export class ConversationExport implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly paths: MessagePathRepository,
    private readonly tree: MessageTreeRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('conversations', async (tx, memberId, after) => {
      const found = await this.conversations.listAfter(tx, { memberId }, after, EXPORT_PAGE);
      const ids = found.map(({ id }) => id);
      const kept = await this.paths.listShownSummaries(tx, ids);
      const summaries = new Map(kept.map(({ conversationId, text }) => [conversationId, text]));
      const told = found.map((row) => ({ ...row, summary: summaries.get(row.id) ?? null }));
      return pageById(told, [
        ...(['id', 'assistantId', 'title', 'archived', 'pinned'] as const),
        ...(['summary', 'createdAt', 'updatedAt'] as const),
      ]);
    });
    this.data.onExport('messages', (tx, memberId, after) => this.readMessages(tx, memberId, after));
  }

  /** A page of messages of one conversation. `next` holds the conversation's id and the last message's. */
  private async readMessages(tx: Transaction, memberId: string, after: string | null): Promise<ExportPage> {
    const [conversationId = null, messageId = null] = after?.split(' ') ?? [];
    if (conversationId !== null && messageId !== null) {
      const messages = await this.messages.listAfter(tx, { conversationId }, messageId, EXPORT_PAGE);
      if (messages.length > 0) return this.pageOf(tx, messages);
    }
    for (let before = conversationId; ;) {
      const [conversation] = await this.conversations.listAfter(tx, { memberId }, before, 1);
      if (!conversation) return { items: [], next: null };
      const messages = await this.messages.listAfter(
        tx,
        { conversationId: conversation.id },
        null,
        EXPORT_PAGE,
      );
      if (messages.length > 0) return this.pageOf(tx, messages);
      before = conversation.id;
    }
  }

  private async pageOf(tx: Transaction, messages: readonly Message[]): Promise<ExportPage> {
    const parents = await this.tree.findParents(
      tx,
      messages.map(({ id }) => id),
    );
    const told = messages.map((message) => ({
      ...message,
      parentId: parents.get(message.id) ?? null,
      parts: message.parts && partsOf(message),
    }));
    const { items } = pageById(told, [
      ...(['id', 'conversationId', 'parentId', 'role', 'status', 'author', 'text'] as const),
      ...(['parts', 'attachmentIds', 'citations', 'createdAt'] as const),
    ]);
    const last = messages.at(-1);
    return { items, next: last ? `${last.conversationId} ${last.id}` : null };
  }
}
