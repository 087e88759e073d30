import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import type { Notification } from '../notification.entity.js';
import { Webhook } from './webhook.entity.js';

/** What a webhook is to be told next. */
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
  dueAt: Date;
}

@Injectable()
export class WebhookRepository {
  /** Of the company, the oldest first. */
  list(tx: Transaction): Promise<Webhook[]> {
    return tx.select(Webhook, 'company_id = $1 ORDER BY id', [tx.companyId]);
  }

  find(tx: Transaction, id: string): Promise<Webhook | null> {
    return tx.selectOne(Webhook, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** How many there are; others that are made meanwhile wait until `tx` ends. */
  async count(tx: Transaction): Promise<number> {
    await tx.query('SELECT FROM company WHERE id = $1 FOR NO KEY UPDATE', [tx.companyId]);
    return (await tx.query('SELECT FROM webhook WHERE company_id = $1', [tx.companyId])).length;
  }

  async insert(
    tx: Transaction,
    { id, url, secret, kinds }: Pick<Webhook, 'id' | 'url' | 'secret' | 'kinds'>,
  ): Promise<void> {
    await tx.query('INSERT INTO webhook (company_id, id, url, secret, kinds) VALUES ($1, $2, $3, $4, $5)', [
      tx.companyId,
      id,
      url,
      secret,
      kinds,
    ]);
  }

  /** False: it is not there. */
  async delete(tx: Transaction, id: string): Promise<boolean> {
    const sql = 'DELETE FROM webhook WHERE company_id = $1 AND id = $2 RETURNING id';
    return (await tx.query(sql, [tx.companyId, id])).length > 0;
  }

  /** Switches it on or off. What it was still to be told is dropped: also what was put in line while it went off. */
  async setActive(tx: Transaction, id: string, active: boolean, at: Date): Promise<void> {
    const values = [tx.companyId, id, active ? null : at];
    await tx.query('UPDATE webhook SET disabled_at = $3 WHERE company_id = $1 AND id = $2', values);
    await tx.query('DELETE FROM webhook_delivery WHERE company_id = $1 AND webhook_id = $2', [
      tx.companyId,
      id,
    ]);
  }

  /** Puts notifications, which are stored already, in line for those webhooks that want them, and gives their ids. */
  async putDeliveries(
    tx: Transaction,
    notifications: readonly Pick<Notification, 'id' | 'kind'>[],
  ): Promise<string[]> {
    const rows = await tx.query<{ webhookId: string }>(
      `INSERT INTO webhook_delivery (company_id, notification_id, webhook_id)
       SELECT $1, added.id, webhook.id
       FROM unnest($2::uuid[], $3::text[]) AS added (id, kind)
       JOIN webhook ON webhook.company_id = $1 AND disabled_at IS NULL
         AND (kinds IS NULL OR added.kind = ANY (kinds))
       RETURNING webhook_id AS "webhookId"`,
      [tx.companyId, notifications.map(({ id }) => id), notifications.map(({ kind }) => kind)],
    );
    return [...new Set(rows.map(({ webhookId }) => webhookId))];
  }

  /** What is due first. Null: nothing is left. */
  async findDue(tx: Transaction, webhookId: string): Promise<DueDelivery | null> {
    const [due] = await tx.query<DueDelivery>(
      `SELECT notification.id AS "notificationId", notification.kind, notification.title,
         notification.turn_id AS "turnId", notification.created_at AS "createdAt", member.id AS "memberId",
         member.subject AS "memberSubject", member.name AS "memberName", member.email AS "memberEmail",
         delivery.tries, delivery.due_at AS "dueAt"
       FROM webhook_delivery AS delivery
       JOIN notification ON notification.company_id = $1 AND notification.id = delivery.notification_id
       JOIN member ON member.company_id = $1 AND member.id = notification.member_id
       WHERE delivery.company_id = $1 AND delivery.webhook_id = $2
       ORDER BY delivery.due_at, delivery.notification_id LIMIT 1`,
      [tx.companyId, webhookId],
    );
    return due ?? null;
  }

  /** Takes it out of line: it was told, or never will be. */
  async removeDelivery(tx: Transaction, webhookId: string, notificationId: string): Promise<void> {
    await tx.query(
      'DELETE FROM webhook_delivery WHERE company_id = $1 AND webhook_id = $2 AND notification_id = $3',
      [tx.companyId, webhookId, notificationId],
    );
  }

  async postpone(tx: Transaction, webhookId: string, notificationId: string, dueAt: Date): Promise<void> {
    await tx.query(
      `UPDATE webhook_delivery SET tries = tries + 1, due_at = $4
       WHERE company_id = $1 AND webhook_id = $2 AND notification_id = $3`,
      [tx.companyId, webhookId, notificationId, dueAt],
    );
  }

  /** Notes how a try came out. `failure`: why it failed; null: it did not. */
  async note(tx: Transaction, id: string, at: Date, failure: string | null): Promise<void> {
    const columns = failure === null ? 'last_success_at = $3' : 'last_failure_at = $3, last_failure = $4';
    const values = failure === null ? [] : [failure];
    await tx.query(`UPDATE webhook SET ${columns} WHERE company_id = $1 AND id = $2`, [
      tx.companyId,
      id,
      at,
      ...values,
    ]);
  }
}
