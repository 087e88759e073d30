import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { IdentifiedRow } from '../platform/database/rows.entity.js';

/**
 * A branch of a conversation's tree: messages that follow each other without a choice. A path through the tree is a branch
 * up to one of its messages, and before it the branches that it left. In a path, as in a branch, the order of ids is the
 * order of the messages. A branch has
 * the id of its first message. Conversations that were never forked have no rows: their one branch has their own id.
 */
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
