import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A notification that is still to be sent to a webhook. It is deleted with either of them. */
@Entity()
@Index('webhook_delivery_due', ['companyId', 'webhookId', 'dueAt', 'notificationId'])
@ForeignKey('Webhook', ['companyId', 'webhookId'], ['companyId', 'id'], {
  name: 'webhook_delivery_webhook_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('Notification', ['companyId', 'notificationId'], ['companyId', 'id'], {
  name: 'webhook_delivery_notification_fkey',
  onDelete: 'CASCADE',
})
export class WebhookDelivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_delivery_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_delivery_pkey' })
  notificationId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_delivery_pkey' })
  webhookId!: string;

  /** Failed attempts so far. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** When the next attempt is due. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  dueAt!: Date;
}
