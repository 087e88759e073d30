import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, CompanyRow, rowsOf } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { Notification } from '../notification.entity.js';

/** An address of the company to which notifications are sent. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Webhook extends CreatedRow {
  /** Encrypted. Plain text where an earlier version wrote it, until the job encrypt-webhook has run. */
  @Column('text')
  url!: string;

  /** The part of the address that is shown: scheme, host and port. */
  @Column('text', { default: '' })
  origin!: string;

  /** The key that signs requests, encrypted. */
  @Column('text')
  secret!: string;

  /** The kinds of notifications to send; null: all. */
  @Column('text', { array: true, nullable: true })
  kinds!: string[] | null;

  /** Null: it is active. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  /** One run of the job sends to it until then. Null: none does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sendingUntil!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null;

  /** Why it last failed, in words for people. */
  @Column('text', { nullable: true })
  lastFailure!: string | null;
}

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

/** The next notification for a webhook. */
export interface DueDelivery {
  notificationId: string;
  kind: string;
  title: string;
  turnId: string | null;
  createdAt: Date;
  memberId: string;
  memberSubject: string;
  memberName: string;
  memberEmail: string | null;
  tries: number;
  /** Negative when it is overdue. By the database's clock, as every time of a delivery. */
  dueInSeconds: number;
}

@Injectable()
export class WebhookRepository extends rowsOf(Webhook) {
  /** The ids of webhooks whose address an earlier version stored as plain text. */
  async listUnencrypted(tx: Transaction): Promise<string[]> {
    return tx.ids(`SELECT id FROM webhook WHERE company_id = $1 AND url ~* '^https?:'`, [tx.companyId]);
  }

  /** Switches it on or off, and drops its pending deliveries in both cases: some may be added while it is switched off. */
  async setActive(tx: Transaction, id: string, active: boolean, at: Date): Promise<void> {
    await this.update(tx, { id }, { disabledAt: active ? null : at });
    await tx.delete(WebhookDelivery, { webhookId: id });
  }

  /** Adds deliveries of stored notifications to the active webhooks that want them. Gives the webhooks' ids. */
  async addDeliveries(
    tx: Transaction,
    notifications: readonly Pick<Notification, 'id' | 'kind'>[],
  ): Promise<string[]> {
    const rows = await tx.query<{ webhookId: string }>(
      `INSERT INTO webhook_delivery (company_id, notification_id, webhook_id)
       SELECT $1, added.id, webhook.id
       FROM unnest($2::uuid[], $3::text[]) AS added (id, kind)
       JOIN webhook ON webhook.company_id = $1 AND disabled_at IS NULL
         AND (kinds IS NULL OR added.kind = ANY (kinds))
       -- One that is being deleted is waited for and passed over; the foreign key would refuse the whole transaction.
       FOR KEY SHARE OF webhook
       RETURNING webhook_id AS "webhookId"`,
      [tx.companyId, notifications.map(({ id }) => id), notifications.map(({ kind }) => kind)],
    );
    return [...new Set(rows.map(({ webhookId }) => webhookId))];
  }

  /** Takes the right to send to it for so many seconds. False: another has it, or there is no such webhook. */
  async take(tx: Transaction, id: string, seconds: number): Promise<boolean> {
    return tx.any(
      `UPDATE webhook SET sending_until = now() + make_interval(secs => $3)
       WHERE company_id = $1 AND id = $2 AND coalesce(sending_until, '-infinity') < now() RETURNING id`,
      [tx.companyId, id, seconds],
    );
  }

  async release(tx: Transaction, id: string): Promise<void> {
    await this.update(tx, { id }, { sendingUntil: null });
  }

  /** The delivery that is due first. Null: there is none. */
  async findDue(tx: Transaction, webhookId: string): Promise<DueDelivery | null> {
    const [due] = await tx.query<DueDelivery>(
      `SELECT notification.id AS "notificationId", notification.kind, notification.title,
         notification.turn_id AS "turnId", notification.created_at AS "createdAt", member.id AS "memberId",
         member.subject AS "memberSubject", member.name AS "memberName", member.email AS "memberEmail",
         delivery.tries,
         extract(epoch FROM delivery.due_at - now())::float8 AS "dueInSeconds"
       FROM webhook_delivery AS delivery
       JOIN notification ON notification.company_id = $1 AND notification.id = delivery.notification_id
       JOIN member ON member.company_id = $1 AND member.id = notification.member_id
       WHERE delivery.company_id = $1 AND delivery.webhook_id = $2
       ORDER BY delivery.due_at, delivery.notification_id LIMIT 1`,
      [tx.companyId, webhookId],
    );
    return due ?? null;
  }

  /** The ids of webhooks with a delivery that is due. */
  async listOverdue(tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ webhookId: string }>(
      `SELECT DISTINCT webhook_id AS "webhookId" FROM webhook_delivery WHERE company_id = $1 AND due_at < now()`,
      [tx.companyId],
    );
    return rows.map(({ webhookId }) => webhookId);
  }

  async removeDelivery(tx: Transaction, webhookId: string, notificationId: string): Promise<void> {
    await tx.delete(WebhookDelivery, { webhookId, notificationId });
  }

  async postpone(tx: Transaction, webhookId: string, notificationId: string, seconds: number): Promise<void> {
    await tx.query(
      `UPDATE webhook_delivery SET tries = tries + 1, due_at = now() + make_interval(secs => $4)
       WHERE company_id = $1 AND webhook_id = $2 AND notification_id = $3`,
      [tx.companyId, webhookId, notificationId, seconds],
    );
  }

  /** Records the outcome of an attempt, after which others may send. `failure` is null after a success. */
  async recordAttempt(tx: Transaction, id: string, at: Date, failure: string | null): Promise<void> {
    const outcome = failure === null ? { lastSuccessAt: at } : { lastFailureAt: at, lastFailure: failure };
    await this.update(tx, { id }, { ...outcome, sendingUntil: null });
  }
}
