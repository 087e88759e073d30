import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../platform/database/rows.entity.js';

/** In 3 to 10 points, of a path up to a message: all paths through that message share it. */
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
