import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../platform/database/rows.js';
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

  /** The member chose the title, so it stays. */
  @Column('boolean', { default: false })
  titledByMember!: boolean;

  @Column('boolean', { default: false })
  archived!: boolean;

  @Column('boolean', { default: false })
  pinned!: boolean;

  /** The branch with the end of the shown path: see ConversationBranch. */
  @Column('uuid')
  shownBranchId!: string;

  /** The lineage id of the pinned project, in its newest version. Null: none is pinned. */
  @Column('uuid', { nullable: true })
  activeProjectId!: string | null;

  /** The last message in the search index. Null: none. */
  @Column('uuid', { nullable: true })
  indexedUntil!: string | null;

  /** When the last question or answer was stored. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

export type IndexedConversation = Pick<Conversation, 'id' | 'memberId'>;

@Injectable()
export class ConversationRepository extends rowsOf(Conversation) {
  override insert(
    tx: Transaction,
    conversation: Omit<Conversation, 'shownBranchId' | 'activeProjectId'>,
  ): Promise<boolean> {
    return tx.insert(Conversation, { ...conversation, shownBranchId: conversation.id });
  }

  /** `before`: only this title is replaced. Gives the member. Null: no change, as with a title of the member's. */
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
}
