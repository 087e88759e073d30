import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/page.js';
import { type Keyset, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { Message } from './message.entity.js';

const oldestFirst: Keyset<Message> = { keys: { id: 'uuid' }, direction: 'ASC', keyOf: ({ id }) => [id] };

export type NewMessage = Omit<Message, 'companyId' | 'citations'>;

@Injectable()
export class MessageRepository {
  async insert(tx: Transaction, message: NewMessage): Promise<void> {
    await tx.query(
      `INSERT INTO message (company_id, id, conversation_id, turn_id, role, status, text, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        tx.companyId,
        message.id,
        message.conversationId,
        message.turnId,
        message.role,
        message.status,
        message.text,
        message.createdAt,
      ],
    );
  }

  findMany(tx: Transaction, ids: readonly string[]): Promise<Message[]> {
    return tx.select(Message, 'company_id = $1 AND id = ANY ($2)', [tx.companyId, ids]);
  }

  list(tx: Transaction, conversationId: string, request: PageRequest): Promise<Page<Message>> {
    const query = tx
      .repository(Message)
      .createQueryBuilder('message')
      .where({ companyId: tx.companyId, conversationId });
    return readPage(query, oldestFirst, request);
  }

  /** The last `limit` messages before `id`, oldest first. */
  async listBefore(tx: Transaction, conversationId: string, id: string, limit: number): Promise<Message[]> {
    const found = await tx.select(
      Message,
      'company_id = $1 AND conversation_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4',
      [tx.companyId, conversationId, id, limit],
    );
    return found.toReversed();
  }
}
