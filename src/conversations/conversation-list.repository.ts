import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/schema/page.js';
import { type Keyset, readPage } from '../platform/database/keyset.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Conversation } from './conversation.repository.js';
import { pathTo, shownPathOf } from './message-path.repository.js';
import { Message } from './message.repository.js';

export const conversationOrder: Keyset<Conversation> = {
  list: 'conversations',
  keys: { updatedAt: 'timestamptz', id: 'uuid' },
  direction: 'DESC',
  keyOf: ({ updatedAt, id }) => [updatedAt.toISOString(), id],
};

/** Oldest first. */
export const messageOrder: Keyset<Message> = {
  list: 'messages',
  keys: { id: 'uuid' },
  direction: 'ASC',
  keyOf: ({ id }) => [id],
  longTexts: ['text', 'parts'],
};

/** Filters of a member's conversations. A missing one is ignored. */
type ListedConversations = Partial<Pick<Conversation, 'assistantId' | 'archived' | 'pinned'>> & {
  ids?: readonly string[];
};

/** Pages of conversations and their messages. */
@Injectable()
export class ConversationListRepository {
  list(
    tx: Transaction,
    memberId: string,
    { ids, ...columns }: ListedConversations,
    request: PageRequest,
  ): Promise<Page<Conversation>> {
    const query = tx
      .repository(Conversation)
      .createQueryBuilder('conversation')
      .where({ ...columns, companyId: tx.companyId, memberId });
    if (ids) query.andWhere('conversation.id = ANY (:ids)', { ids });
    return readPage(query, conversationOrder, request);
  }

  listTitles(tx: Transaction, memberId: string): Promise<{ id: string; title: string }[]> {
    return tx.query(
      'SELECT id, title FROM conversation WHERE company_id = $1 AND member_id = $2 AND title IS NOT NULL',
      [tx.companyId, memberId],
    );
  }

  listMessages(
    tx: Transaction,
    conversationId: string,
    leaf: string | null,
    request: PageRequest,
  ): Promise<Page<Message>> {
    const path = leaf === null ? shownPathOf(':conversationId') : pathTo(':leaf');
    const query = tx
      .repository(Message)
      .createQueryBuilder('message')
      .where({ companyId: tx.companyId, conversationId })
      .andWhere(
        `EXISTS (WITH RECURSIVE ${path.replaceAll('$1', ':companyId')}
          SELECT FROM path WHERE path.branch_id = message.branch_id AND message.id <= path.until)`,
        { companyId: tx.companyId, conversationId, leaf },
      );
    return readPage(query, messageOrder, request);
  }
}
