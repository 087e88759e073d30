import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/schema/page.js';
import { newestFirst, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import { Notification } from './notification.entity.js';

export const notificationOrder = newestFirst('notifications');

/** A member's inbox as it stands. */
export interface Inbox {
  memberId: string;
  /** Of its newest notification; null when it is empty. */
  lastId: string | null;
}

@Injectable()
export class NotificationRepository {
  /**
   * The inboxes of those of the members who are still there, held until `tx` ends: one after the other, notifications
   * are stored in the order of their ids, so that nobody who has seen one has missed an earlier one.
   */
  async hold(tx: Transaction, memberIds: readonly string[]): Promise<Inbox[]> {
    const values = [tx.companyId, memberIds];
    // Two statements, for the second must see what was stored while the first waited. In one order, against deadlock.
    const [, inboxes] = await Promise.all([
      tx.query(
        'SELECT FROM member WHERE company_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
        values,
      ),
      tx.query<Inbox>(
        `SELECT id AS "memberId", (
           SELECT notification.id FROM notification
           WHERE notification.company_id = $1 AND notification.member_id = member.id
           ORDER BY notification.id DESC LIMIT 1) AS "lastId"
         FROM member WHERE company_id = $1 AND id = ANY ($2)`,
        values,
      ),
    ]);
    return inboxes;
  }

  /** Removes what tells of a conversation's turns, which are still there. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await tx.query(
      `DELETE FROM notification USING turn
       WHERE turn.company_id = $1 AND turn.conversation_id = $2
         AND notification.company_id = turn.company_id AND notification.turn_id = turn.id`,
      [tx.companyId, conversationId],
    );
  }

  async insert(tx: Transaction, notifications: readonly Notification[]): Promise<void> {
    await tx.query(
      `INSERT INTO notification (company_id, id, member_id, kind, title, body, turn_id, created_at)
       SELECT $1::uuid, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::timestamptz[])`,
      [
        tx.companyId,
        notifications.map(({ id }) => id),
        notifications.map(({ memberId }) => memberId),
        notifications.map(({ kind }) => kind),
        notifications.map(({ title }) => title),
        notifications.map(({ body }) => body),
        notifications.map(({ turnId }) => turnId),
        notifications.map(({ createdAt }) => createdAt),
      ],
    );
  }

  find(tx: Transaction, memberId: string, id: string): Promise<Notification | null> {
    return tx.selectOne(Notification, 'company_id = $1 AND member_id = $2 AND id = $3', [
      tx.companyId,
      memberId,
      id,
    ]);
  }

  list(
    tx: Transaction,
    memberId: string,
    request: PageRequest,
    { unreadOnly }: { unreadOnly: boolean },
  ): Promise<Page<Notification>> {
    const query = tx
      .repository(Notification)
      .createQueryBuilder('notification')
      .where({ companyId: tx.companyId, memberId });
    if (unreadOnly) query.andWhere('notification.readAt IS NULL');
    return readPage(query, notificationOrder, request);
  }

  /** The id of the member's newest notification; null when there is none. */
  async lastId(tx: Transaction, memberId: string): Promise<string | null> {
    const [row] = await tx.query<{ id: string }>(
      'SELECT id FROM notification WHERE company_id = $1 AND member_id = $2 ORDER BY id DESC LIMIT 1',
      [tx.companyId, memberId],
    );
    return row?.id ?? null;
  }

  /** Those later than `after`, or (null) all, oldest first, at most `limit`. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Notification[]> {
    return tx.select(
      Notification,
      'company_id = $1 AND member_id = $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT $4',
      [tx.companyId, memberId, after, limit],
    );
  }

  /** Notes when it was first read. */
  async markRead(tx: Transaction, memberId: string, id: string): Promise<void> {
    await tx.query(
      `UPDATE notification SET read_at = now()
       WHERE company_id = $1 AND member_id = $2 AND id = $3 AND read_at IS NULL`,
      [tx.companyId, memberId, id],
    );
  }

  /** Everybody's requests to allow something in a turn. In one order, against deadlock. */
  async markRequestsRead(tx: Transaction, turnId: string): Promise<void> {
    await tx.query(
      `UPDATE notification SET read_at = now()
       WHERE company_id = $1 AND id IN (
         SELECT id FROM notification
         WHERE company_id = $1 AND turn_id = $2 AND kind = 'APPROVAL_REQUESTED' AND read_at IS NULL
         ORDER BY id FOR NO KEY UPDATE)`,
      [tx.companyId, turnId],
    );
  }
}
