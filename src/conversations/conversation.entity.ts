import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../platform/database/rows.entity.js';

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
