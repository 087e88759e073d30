import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';

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
    return tx.repository(Message).findBy({ companyId: tx.companyId, id: In([...ids]) });
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
    const found = await tx.repository(Message).find({
      where: { companyId: tx.companyId, conversationId, id: LessThan(id) },
      order: { id: 'DESC' },
      take: limit,
    });
    return found.toReversed();
  }
}
