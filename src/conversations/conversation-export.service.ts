import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { JsonObject } from '../common/json.js';
import { EXPORT_PAGE, type ExportPage, MemberData, pageById } from '../companies/members/member-data.js';
import type { Transaction } from '../platform/database/transaction.js';
import { ConversationRepository } from './conversation.repository.js';
import type { Message } from './message.entity.js';
import { MessageRepository } from './message.repository.js';

/** Adds a member's conversations and messages to their data export. */
@Injectable()
export class ConversationExport implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('conversations', async (tx, memberId, after) =>
      pageById(
        await this.conversations.listAfter(tx, memberId, after, EXPORT_PAGE),
        ({ id, assistantId, title, summary, createdAt, updatedAt }) => ({
          id,
          assistantId,
          title,
          summary,
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        }),
      ),
    );
    this.data.onExport('messages', (tx, memberId, after) => this.readMessages(tx, memberId, after));
  }

  /** A page of messages of one conversation. `next` holds the conversation's id and the last message's. */
  private async readMessages(tx: Transaction, memberId: string, after: string | null): Promise<ExportPage> {
    const [conversationId = null, messageId = null] = after?.split(' ') ?? [];
    if (conversationId !== null && messageId !== null) {
      const messages = await this.messages.listAfter(tx, conversationId, messageId, EXPORT_PAGE);
      if (messages.length > 0) return pageOf(messages);
    }
    for (let before = conversationId; ;) {
      const [conversation] = await this.conversations.listAfter(tx, memberId, before, 1);
      if (!conversation) return { items: [], next: null };
      const messages = await this.messages.listAfter(tx, conversation.id, null, EXPORT_PAGE);
      if (messages.length > 0) return pageOf(messages);
      before = conversation.id;
    }
  }
}

function pageOf(messages: readonly Message[]): ExportPage {
  const last = messages.at(-1);
  return {
    items: messages.map(itemOf),
    next: last ? `${last.conversationId} ${last.id}` : null,
  };
}

function itemOf(message: Message): JsonObject {
  return {
    id: message.id,
    conversationId: message.conversationId,
    role: message.role,
    status: message.status,
    author: message.author,
    text: message.text,
    citations: message.citations.map((citation) => ({ ...citation })),
    createdAt: message.createdAt.toISOString(),
  };
}
