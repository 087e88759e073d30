import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { Conversation } from './conversation.entity.js';
import { Message } from './message.entity.js';

@Injectable()
export class ConversationExportRepository {
  /** The first `limit` of a member's after the id `after`, in the order of their ids. */
  list(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Conversation[]> {
    return tx.select(
      Conversation,
      'company_id = $1 AND member_id = $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4',
      [tx.companyId, memberId, after, limit],
    );
  }

  /** The first `limit` of a conversation's after the id `after`, in their order. */
  listMessages(
    tx: Transaction,
    conversationId: string,
    after: string | null,
    limit: number,
  ): Promise<Message[]> {
    return tx.select(
      Message,
      'company_id = $1 AND conversation_id = $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4',
      [tx.companyId, conversationId, after, limit],
    );
  }
}
