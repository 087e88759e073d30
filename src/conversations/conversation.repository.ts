import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/schema/page.js';
import { type Keyset, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { Conversation, type Summary } from './conversation.entity.js';

/** Before every id that is given out. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Whose and which conversation messages are of. */
export type IndexedConversation = Pick<Conversation, 'id' | 'memberId'>;

export const conversationOrder: Keyset<Conversation> = {
  list: 'conversations',
  keys: { updatedAt: 'timestamptz', id: 'uuid' },
  direction: 'DESC',
  keyOf: ({ updatedAt, id }) => [updatedAt.toISOString(), id],
};

@Injectable()
export class ConversationRepository {
  async insert(
    tx: Transaction,
    conversation: Omit<Conversation, 'summary' | 'summarisedUntil' | 'activeProjectId'>,
  ): Promise<void> {
    const { companyId, id, memberId, assistantId, title, indexedUntil, createdAt, updatedAt } = conversation;
    await tx.query(
      `INSERT INTO conversation
         (company_id, id, member_id, assistant_id, title, indexed_until, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [companyId, id, memberId, assistantId, title, indexedUntil, createdAt, updatedAt],
    );
  }

  find(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.selectOne(Conversation, 'company_id = $1 AND member_id = $2 AND id = $3', [
      tx.companyId,
      memberId,
      id,
    ]);
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Conversation[]> {
    return tx.select(Conversation, 'company_id = $1 AND member_id = $2 AND id = ANY ($3)', [
      tx.companyId,
      memberId,
      ids,
    ]);
  }

  /**
   * Holds the conversation until the transaction ends: what changes its turns takes its turn here. Not FOR UPDATE:
   * PostgreSQL looks at the foreign key of a turn that one transaction changes twice, which would have to wait.
   */
  async lock(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    const [conversation] = await tx.select(
      Conversation,
      'company_id = $1 AND member_id = $2 AND id = $3 FOR NO KEY UPDATE',
      [tx.companyId, memberId, id],
    );
    return conversation ?? null;
  }

  list(tx: Transaction, memberId: string, request: PageRequest): Promise<Page<Conversation>> {
    const query = tx
      .repository(Conversation)
      .createQueryBuilder('conversation')
      .where({ companyId: tx.companyId, memberId });
    return readPage(query, conversationOrder, request);
  }

  /** Holds a conversation like `lock`, whoever's it is. */
  async hold(tx: Transaction, id: string): Promise<void> {
    await tx.query('SELECT FROM conversation WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      id,
    ]);
  }

  /** The same, and moves it to the top. */
  async touch(tx: Transaction, id: string, at: Date): Promise<void> {
    await tx.query('UPDATE conversation SET updated_at = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      at,
    ]);
  }

  /** Gives it another title, unless it has got one since. */
  async rename(
    tx: Transaction,
    id: string,
    { before, title }: { before: string; title: string },
  ): Promise<void> {
    await tx.query('UPDATE conversation SET title = $4 WHERE company_id = $1 AND id = $2 AND title = $3', [
      tx.companyId,
      id,
      before,
      title,
    ]);
  }

  /** Keeps a summary that goes on from `before`. False: it is not that any more, or the conversation is gone. */
  async keepSummary(
    tx: Transaction,
    id: string,
    before: Summary,
    { summary, summarisedUntil }: Summary,
  ): Promise<boolean> {
    const kept = await tx.query(
      `UPDATE conversation SET summary = $5, summarised_until = $6
       WHERE company_id = $1 AND id = $2 AND summary IS NOT DISTINCT FROM $3
         AND summarised_until IS NOT DISTINCT FROM $4 RETURNING id`,
      [tx.companyId, id, before.summary, before.summarisedUntil, summary, summarisedUntil],
    );
    return kept.length > 0;
  }

  /** Has it be about a project, by its lineage; null: about none. */
  async pinProject(tx: Transaction, id: string, activeProjectId: string | null): Promise<void> {
    await tx.query('UPDATE conversation SET active_project_id = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      activeProjectId,
    ]);
  }

  /** Notes up to which message it is in the index. */
  async keepIndexed(tx: Transaction, id: string, until: string): Promise<void> {
    await tx.query('UPDATE conversation SET indexed_until = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      until,
    ]);
  }

  /** The first `limit` after the id `after` that are to be recalled and hold messages that are not in the index. */
  listUnindexed(tx: Transaction, after: string, limit: number): Promise<IndexedConversation[]> {
    return tx.query(
      `SELECT conversation.id, conversation.member_id AS "memberId"
       FROM conversation JOIN assistant
         ON assistant.company_id = $1 AND assistant.id = conversation.assistant_id AND assistant.recalls_conversations
       WHERE conversation.company_id = $1 AND conversation.id > $2 AND EXISTS (
         SELECT FROM message
         WHERE message.company_id = $1 AND message.conversation_id = conversation.id
           AND message.id > COALESCE(conversation.indexed_until, '${FIRST_ID}'))
       ORDER BY conversation.id LIMIT $3`,
      [tx.companyId, after, limit],
    );
  }

  async delete(tx: Transaction, memberId: string, id: string): Promise<boolean> {
    const { affected } = await tx.repository(Conversation).delete({ companyId: tx.companyId, memberId, id });
    return affected === 1;
  }
}
