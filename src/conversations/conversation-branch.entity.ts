import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { IdentifiedRow } from '../platform/database/rows.entity.js';

/** Messages that follow each other without a choice, in the order of ids. Its id is that of its first message. */
@Entity()
@Index('conversation_branch_conversation', ['companyId', 'conversationId'])
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class ConversationBranch extends IdentifiedRow {
  @Column('uuid')
  conversationId!: string;

  /** The branch that it leaves; null: it begins the conversation. */
  @Column('uuid', { nullable: true })
  parentId!: string | null;

  /** Of the branch that it leaves, messages up to this id come before it. It may be an answer that is not stored yet. */
  @Column('uuid', { nullable: true })
  forkId!: string | null;

  /** The shown path goes through the branch's messages up to this id; null: it does not go through the branch. */
  @Column('uuid', { nullable: true })
  shownUntil!: string | null;
}
