import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import type { Page, PageRequest } from '../common/page.js';
import { type Keyset, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { Conversation } from './conversation.entity.js';

const newestFirst: Keyset<Conversation> = {
  keys: { updatedAt: 'timestamptz', id: 'uuid' },
  direction: 'DESC',
  keyOf: ({ updatedAt, id }) => [updatedAt.toISOString(), id],
};

@Injectable()
export class ConversationRepository {
  async insert(tx: Transaction, conversation: Omit<Conversation, 'summary'>): Promise<void> {
    await tx.repository(Conversation).insert(conversation);
  }

  find(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.repository(Conversation).findOneBy({ companyId: tx.companyId, memberId, id });
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Conversation[]> {
    return tx.repository(Conversation).findBy({ companyId: tx.companyId, memberId, id: In([...ids]) });
  }

  /**
   * Holds the conversation until the transaction ends: what changes its turns takes its turn here. Not FOR UPDATE:
   * PostgreSQL looks at the foreign key of a turn that one transaction changes twice, which would have to wait.
   */
  async lock(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.repository(Conversation).findOne({
      where: { companyId: tx.companyId, memberId, id },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Holds a conversation whoever's it is, for what is done to it by no member. */
  async hold(tx: Transaction, id: string): Promise<void> {
    await tx.query('SELECT FROM conversation WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      id,
    ]);
  }

  list(tx: Transaction, memberId: string, request: PageRequest): Promise<Page<Conversation>> {
    const query = tx
      .repository(Conversation)
      .createQueryBuilder('conversation')
      .where({ companyId: tx.companyId, memberId });
    return readPage(query, newestFirst, request);
  }

  async touch(tx: Transaction, id: string, at: Date): Promise<void> {
    await tx.repository(Conversation).update({ companyId: tx.companyId, id }, { updatedAt: at });
  }

  async delete(tx: Transaction, memberId: string, id: string): Promise<boolean> {
    const { affected } = await tx.repository(Conversation).delete({ companyId: tx.companyId, memberId, id });
    return affected === 1;
  }
}
