import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/page.js';
import { type Keyset, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { Message } from './message.entity.js';

const oldestFirst: Keyset<Message> = { keys: { id: 'uuid' }, direction: 'ASC', keyOf: ({ id }) => [id] };

export type NewMessage = Omit<Message, 'companyId' | 'citations'> & Partial<Pick<Message, 'citations'>>;

@Injectable()
export class MessageRepository {
  async insert(tx: Transaction, message: NewMessage): Promise<void> {
    await tx.query(
      `INSERT INTO message (company_id, id, conversation_id, turn_id, role, status, text, created_at, citations)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        tx.companyId,
        message.id,
        message.conversationId,
        message.turnId,
        message.role,
        message.status,
        message.text,
        message.createdAt,
        JSON.stringify(message.citations ?? []),
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

  /** The first `limit` messages, oldest first. */
  listFirst(tx: Transaction, conversationId: string, limit: number): Promise<Message[]> {
    return tx.select(Message, 'company_id = $1 AND conversation_id = $2 ORDER BY id LIMIT $3', [
      tx.companyId,
      conversationId,
      limit,
    ]);
  }

  /** The first `limit` messages after `after` that are not among the last `window`, oldest first. */
  listLeft(
    tx: Transaction,
    conversationId: string,
    { after, window, limit }: { after: string | null; window: number; limit: number },
  ): Promise<Message[]> {
    return tx.select(
      Message,
      `company_id = $1 AND conversation_id = $2 AND ($3::uuid IS NULL OR id > $3) AND id < (
         SELECT id FROM message WHERE company_id = $1 AND conversation_id = $2 ORDER BY id DESC OFFSET $4 LIMIT 1)
       ORDER BY id LIMIT $5`,
      [tx.companyId, conversationId, after, window - 1, limit],
    );
  }
}
