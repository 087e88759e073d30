import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow } from '../platform/database/rows.js';
import { NIL_ID } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';

@Entity()
@Index('conversation_assistant', ['companyId', 'assistantId'])
@Index('conversation_recent', ['companyId', 'memberId', 'updatedAt', 'id'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Assistant', ['companyId', 'assistantId'], ['companyId', 'id'], {
  // Checked at commit: deleting a company deletes its assistants before its members' conversations.
  deferrable: 'INITIALLY DEFERRED',
})
export class Conversation extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  @Column('uuid')
  assistantId!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  /** The member gave it its title, which stays. */
  @Column('boolean', { default: false })
  titledByMember!: boolean;

  @Column('boolean', { default: false })
  archived!: boolean;

  @Column('boolean', { default: false })
  pinned!: boolean;

  /** The branch whose end is shown: see ConversationBranch. */
  @Column('uuid')
  shownBranchId!: string;

  /** The lineage id of the pinned project, whose newest version counts; null: none is pinned. */
  @Column('uuid', { nullable: true })
  activeProjectId!: string | null;

  /** The last message that is in the search index; null while none is. */
  @Column('uuid', { nullable: true })
  indexedUntil!: string | null;

  /** When the last question or answer was stored. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

export type IndexedConversation = Pick<Conversation, 'id' | 'memberId'>;

@Injectable()
export class ConversationRepository {
  async insert(
    tx: Transaction,
    conversation: Omit<Conversation, 'shownBranchId' | 'activeProjectId'>,
  ): Promise<void> {
    await tx.insert(Conversation, { ...conversation, shownBranchId: conversation.id });
  }

  find(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.find(Conversation, { memberId, id });
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Conversation[]> {
    return tx.list(Conversation, { memberId, id: ids });
  }

  /** Whosever they are. */
  findAll(tx: Transaction, ids: readonly string[]): Promise<Conversation[]> {
    return tx.list(Conversation, { id: ids });
  }

  /** Serialises changes to its turns. FOR UPDATE would block foreign key checks of turns that are updated twice. */
  lock(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.lock(Conversation, { memberId, id });
  }

  /** The first `limit` of a member's after the id `after`, in the order of their ids. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Conversation[]> {
    return tx.listAfter(Conversation, { memberId }, after, limit);
  }

  async update(tx: Transaction, id: string, changes: Partial<Conversation>): Promise<void> {
    await tx.update(Conversation, { id }, changes);
  }

  /** `before`: only in place of this one. Gives the member; null: nothing changed, as with a title of the member's. */
  async setTitle(
    tx: Transaction,
    id: string,
    title: string | null,
    before: string | null = null,
  ): Promise<string | null> {
    const [changed] = await tx.query<{ memberId: string }>(
      `UPDATE conversation SET title = $3 WHERE company_id = $1 AND id = $2 AND title IS DISTINCT FROM $3
         AND NOT titled_by_member AND ($4::text IS NULL OR title = $4) RETURNING member_id AS "memberId"`,
      [tx.companyId, id, title, before],
    );
    return changed?.memberId ?? null;
  }

  async keepIndexed(tx: Transaction, id: string, until: string): Promise<void> {
    await tx.update(Conversation, { id }, { indexedUntil: until });
  }

  listUnindexed(tx: Transaction, after: string, limit: number): Promise<IndexedConversation[]> {
    return tx.query(
      `SELECT conversation.id, conversation.member_id AS "memberId"
       FROM conversation JOIN assistant
         ON assistant.company_id = $1 AND assistant.id = conversation.assistant_id AND assistant.recalls_conversations
       WHERE conversation.company_id = $1 AND conversation.id > $2 AND EXISTS (
         SELECT FROM message
         WHERE message.company_id = $1 AND message.conversation_id = conversation.id
           AND message.id > COALESCE(conversation.indexed_until, '${NIL_ID}'))
       ORDER BY conversation.id LIMIT $3`,
      [tx.companyId, after, limit],
    );
  }

  delete(tx: Transaction, memberId: string, id: string): Promise<boolean> {
    return tx.delete(Conversation, { memberId, id });
  }
}
