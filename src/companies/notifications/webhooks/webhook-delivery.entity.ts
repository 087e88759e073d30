import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../../platform/database/rows.entity.js';

/** A notification that is still to be sent to a webhook. It is deleted with either of them. */
@Entity()
@Index('webhook_delivery_due', ['companyId', 'webhookId', 'dueAt', 'notificationId'])
@ForeignKey('Webhook', ['companyId', 'webhookId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Notification', ['companyId', 'notificationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class WebhookDelivery extends CompanyRow {
  @PrimaryColumn('uuid')
  notificationId!: string;

  @PrimaryColumn('uuid')
  webhookId!: string;

  /** Failed attempts so far. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** When the next attempt is due. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  dueAt!: Date;
}
