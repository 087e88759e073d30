import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../platform/database/rows.entity.js';

/**
 * A summary of a path up to one of its messages, in 3 to 10 points. It belongs to that message: all paths through it share
 * the summary.
 */
@Entity()
@Index('conversation_summary_conversation', ['companyId', 'conversationId'])
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class ConversationSummary extends CompanyRow {
  /** The branch of the last message that it covers. */
  @PrimaryColumn('uuid')
  branchId!: string;

  /** The last message that it covers. */
  @PrimaryColumn('uuid')
  untilId!: string;

  @Column('uuid')
  conversationId!: string;

  @Column('text')
  text!: string;
}
