import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What one member and one assistant said to each other. */
@Entity()
@Index('conversation_recent', ['companyId', 'memberId', 'updatedAt', 'id'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'conversation_member_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('Assistant', ['companyId', 'assistantId'], ['companyId', 'id'], {
  name: 'conversation_assistant_fkey',
  // Looked at in the end: a company goes with its assistants first, and with its members' conversations after them.
  deferrable: 'INITIALLY DEFERRED',
})
export class Conversation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversation_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'conversation_pkey' })
  id!: string;

  @Column('uuid')
  memberId!: string;

  @Column('uuid')
  assistantId!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  /** What left the window of recent messages, in 3 to 10 points; null while nothing did. */
  @Column('text', { nullable: true })
  summary!: string | null;

  /** The last message that the summary has taken in; null while there is none. */
  @Column('uuid', { nullable: true })
  summarisedUntil!: string | null;

  /** The lineage of the project it is about, whose newest version counts; null: none was pinned. */
  @Column('uuid', { nullable: true })
  activeProjectId!: string | null;

  /** The last message that was put where messages are searched; null while none was. */
  @Column('uuid', { nullable: true })
  indexedUntil!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When the last question or answer was stored. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** What a summary says, and how far it goes. */
export type Summary = Pick<Conversation, 'summary' | 'summarisedUntil'>;
