import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A notification that a webhook has not been told of yet. It goes with either of them. */
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

  /** How often it was tried. */
  @Column('integer', { default: 0 })
  tries!: number;

  /** When it is to be tried next. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  dueAt!: Date;
}
