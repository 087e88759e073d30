import { Injectable } from '@nestjs/common';

import { newestFirst, pagedRowsOf } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Notification } from './notification.entity.js';

export const notificationOrder = newestFirst('notifications');

/** The end of a member's inbox. */
interface Inbox {
  memberId: string;
  /** The id of the newest notification; null: the inbox is empty. */
  lastId: string | null;
}

@Injectable()
export class NotificationRepository extends pagedRowsOf(Notification) {
  /**
   * Locks the inboxes of those members who still exist, until `tx` ends. So notifications of a member are committed in
   * the order of their ids, and a reader who has seen one cannot have missed an earlier one.
   */
  async lockInboxes(tx: Transaction, memberIds: readonly string[]): Promise<Inbox[]> {
    const values = [tx.companyId, memberIds];
    // Two statements: the second must see what was stored while the first waited. Ordered by id, to avoid deadlocks.
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

  /** Deletes the notifications about a conversation's turns. Call it before the turns are deleted. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await tx.query(
      `DELETE FROM notification USING turn
       WHERE turn.company_id = $1 AND turn.conversation_id = $2
         AND notification.company_id = turn.company_id AND notification.turn_id = turn.id`,
      [tx.companyId, conversationId],
    );
  }

  async insertAll(tx: Transaction, notifications: readonly Notification[]): Promise<void> {
    await tx.insertAll(Notification, notifications);
  }

  async lastId(tx: Transaction, memberId: string): Promise<string | null> {
    const [newest] = await this.list(tx, { memberId }, 'ORDER BY id DESC LIMIT 1');
    return newest?.id ?? null;
  }

  /** Marks all of a member's as read, and counts them. Ordered by id, to avoid deadlocks. */
  async markAllRead(tx: Transaction, memberId: string): Promise<number> {
    const marked = await tx.query(
      `UPDATE notification SET read_at = now()
       WHERE company_id = $1 AND id IN (
         SELECT id FROM notification WHERE company_id = $1 AND member_id = $2 AND read_at IS NULL
         ORDER BY id FOR NO KEY UPDATE)
       RETURNING id`,
      [tx.companyId, memberId],
    );
    return marked.length;
  }

  /** Marks a turn's requests to members as read. Ordered by id, to avoid deadlocks. */
  async markRequestsRead(tx: Transaction, turnId: string): Promise<void> {
    await tx.query(
      `UPDATE notification SET read_at = now()
       WHERE company_id = $1 AND id IN (
         SELECT id FROM notification
         WHERE company_id = $1 AND turn_id = $2 AND kind IN ('APPROVAL_REQUESTED', 'INPUT_REQUESTED') AND read_at IS NULL
         ORDER BY id FOR NO KEY UPDATE)`,
      [tx.companyId, turnId],
    );
  }
}
