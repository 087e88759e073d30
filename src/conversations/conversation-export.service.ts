import { Injectable, type OnModuleInit } from '@nestjs/common';

import { EXPORT_PAGE, type ExportPage, MemberData, pageById } from '../companies/member-data/member-data.js';
import type { JsonObject } from '../common/json.js';
import type { Transaction } from '../database/transaction.js';
import { ConversationExportRepository } from './conversation-export.repository.js';
import type { Message } from './message.entity.js';

/** What a member and assistants said to each other, in an export. */
@Injectable()
export class ConversationExport implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly rows: ConversationExportRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('conversations', async (tx, memberId, after) =>
      pageById(
        await this.rows.list(tx, memberId, after, EXPORT_PAGE),
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

  /** A page of one conversation at a time; `next` says in which one, and after which message. */
  private async readMessages(tx: Transaction, memberId: string, after: string | null): Promise<ExportPage> {
    const [conversationId = null, messageId = null] = after?.split(' ') ?? [];
    if (conversationId !== null && messageId !== null) {
      const messages = await this.rows.listMessages(tx, conversationId, messageId, EXPORT_PAGE);
      if (messages.length > 0) return pageOf(messages);
    }
    for (let before = conversationId; ;) {
      const [conversation] = await this.rows.list(tx, memberId, before, 1);
      if (!conversation) return { items: [], next: null };
      const messages = await this.rows.listMessages(tx, conversation.id, null, EXPORT_PAGE);
      if (messages.length > 0) return pageOf(messages);
      before = conversation.id;
    }
  }
}

const pageOf = (messages: readonly Message[]): ExportPage => {
  const last = messages.at(-1);
  return {
    items: messages.map(itemOf),
    next: last ? `${last.conversationId} ${last.id}` : null,
  };
};

const itemOf = (message: Message): JsonObject => ({
  id: message.id,
  conversationId: message.conversationId,
  role: message.role,
  status: message.status,
  author: message.author,
  text: message.text,
  citations: message.citations.map((citation) => ({ ...citation })),
  createdAt: message.createdAt.toISOString(),
});
