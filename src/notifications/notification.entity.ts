import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const notificationKinds = [
  'TURN_COMPLETED',
  'TURN_FAILED',
  'APPROVAL_REQUESTED',
  'DOCUMENT_ANALYSED',
  'DOCUMENT_ANALYSIS_FAILED',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Something a member is told while not looking. */
@Entity()
@Index('notification_member', ['companyId', 'memberId', 'id'])
@Index('notification_unread', ['companyId', 'memberId', 'id'], { where: `"read_at" IS NULL` })
@Index('notification_turn', ['companyId', 'turnId'], { where: `"turn_id" IS NOT NULL` })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'notification_member_fkey',
  onDelete: 'CASCADE',
})
export class Notification {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notification_pkey' })
  companyId!: string;

  /** Later notifications have larger ids. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notification_pkey' })
  id!: string;

  /** Whose inbox it lies in. */
  @Column('uuid')
  memberId!: string;

  @Column('text')
  kind!: NotificationKind;

  @Column('text')
  title!: string;

  @Column('text')
  body!: string;

  /** The turn it is about; null when it is about none, or the turn is gone. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  readAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
