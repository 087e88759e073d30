import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.js';

export const notificationKinds = [
  'TURN_COMPLETED',
  'TURN_FAILED',
  'APPROVAL_REQUESTED',
  'INPUT_REQUESTED',
  'DOCUMENT_ANALYSED',
  'DOCUMENT_ANALYSIS_FAILED',
  'SCHEDULE_PAUSED',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** A message in a member's inbox. */
@Entity()
@Index('notification_member', ['companyId', 'memberId', 'id'])
@Index('notification_unread', ['companyId', 'memberId', 'id'], { where: `"read_at" IS NULL` })
@Index('notification_turn', ['companyId', 'turnId'], { where: `"turn_id" IS NOT NULL` })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Notification extends CreatedRow {
  /** The recipient. */
  @Column('uuid')
  memberId!: string;

  @Column('text')
  kind!: NotificationKind;

  @Column('text')
  title!: string;

  @Column('text')
  body!: string;

  /** The turn that it is about; null: none, or the turn was deleted. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  readAt!: Date | null;
}
