import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A summary of a path up to one of its messages, in 3 to 10 points. It belongs to that message: all paths through it share
 * the summary.
 */
@Entity()
@Index('conversation_summary_conversation', ['companyId', 'conversationId'])
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], {
  name: 'conversation_summary_conversation_fkey',
  onDelete: 'CASCADE',
})
export class ConversationSummary {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversation_summary_pkey' })
  companyId!: string;

  /** The branch of the last message that it covers. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversation_summary_pkey' })
  branchId!: string;

  /** The last message that it covers. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversation_summary_pkey' })
  untilId!: string;

  @Column('uuid')
  conversationId!: string;

  @Column('text')
  text!: string;
}
