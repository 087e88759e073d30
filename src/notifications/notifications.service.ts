import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { notFound } from '../common/errors/domain-error.js';
import { isId, newIdAfter } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { PubSub } from '../pubsub/pub-sub.js';
import type { Notification } from './notification.entity.js';
import { notificationOrder, NotificationRepository } from './notification.repository.js';
import { NotificationStream } from './notification-stream.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service.js';

export type NewNotification = Pick<Notification, 'memberId' | 'kind' | 'title' | 'body' | 'turnId'>;

/** A topic for each member: whoever listens is woken by what is theirs, and by nothing else. */
const topicOf = (memberId: string): string => `notification.${memberId}`;

/** Notifications belong to the member whom they tell something: to everybody else they do not exist. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationRepository,
    private readonly webhooks: WebhookDeliveries,
    private readonly pubSub: PubSub,
  ) {}

  /** Removes what tells of a conversation's turns: it may hold the beginning of an answer. */
  deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    return this.notifications.deleteOf(tx, conversationId);
  }

  /** Has nobody be asked any more for what a turn has no need of by now: it counts as read by all. */
  settleRequests(tx: Transaction, turnId: string): Promise<void> {
    return this.notifications.markRequestsRead(tx, turnId);
  }

  /** Stores a notification, and tells whoever listens once `tx` is committed. Nothing for a member who is gone. */
  add(tx: Transaction, notification: NewNotification): Promise<void> {
    return this.addAll(tx, [notification]);
  }

  /** The same for several. To be called once in a transaction, which holds the members' inboxes until it ends. */
  async addAll(tx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
    if (notifications.length === 0) return;
    const memberIds = [...new Set(notifications.map(({ memberId }) => memberId))];
    const inboxes = await this.notifications.hold(tx, memberIds);
    const lastIds = new Map(inboxes.map(({ memberId, lastId }) => [memberId, lastId]));
    const createdAt = new Date();
    const rows: Notification[] = [];
    for (const notification of notifications) {
      const lastId = lastIds.get(notification.memberId);
      if (lastId === undefined) continue;
      const id = newIdAfter(lastId);
      lastIds.set(notification.memberId, id);
      rows.push({ ...notification, companyId: tx.companyId, id, readAt: null, createdAt });
    }
    if (rows.length === 0) return;
    await Promise.all([
      this.notifications.insert(tx, rows),
      // Behind the rows that it is about.
      this.webhooks.put(tx, rows),
      ...rows.map(({ memberId, id }) => this.pubSub.publish(tx, topicOf(memberId), id)),
    ]);
  }

  async find(viewer: Viewer, id: string): Promise<Notification | null> {
    if (!isId(id)) return null;
    return this.database.read(viewer.companyId, (tx) => this.notifications.find(tx, viewer.id, id));
  }

  list(
    viewer: Viewer,
    page: ForwardPageArguments,
    filter: { unreadOnly: boolean },
  ): Promise<Page<Notification>> {
    const request = pageRequest(page, notificationOrder);
    return this.database.read(viewer.companyId, (tx) =>
      this.notifications.list(tx, viewer.id, request, filter),
    );
  }

  /** Notes that it was read; the first time stays. Rejects with NOT_FOUND. */
  async markRead(viewer: Viewer, id: string): Promise<Notification> {
    if (!isId(id)) throw notFound('notification');
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.notifications.markRead(tx, viewer.id, id);
      const notification = await this.notifications.find(tx, viewer.id, id);
      if (!notification) throw notFound('notification');
      return notification;
    });
  }

  /** What the viewer is told from now on. Whoever has it must call its return(). */
  follow({ id: memberId, companyId }: Viewer): Promise<NotificationStream> {
    const inbox = {
      listen: (onHint: (id: string) => void, onGap: () => void) => {
        const stops = [this.pubSub.subscribe(topicOf(memberId), onHint), this.pubSub.onGap(onGap)];
        return () => stops.forEach((stop) => stop());
      },
      lastId: () => this.database.read(companyId, (tx) => this.notifications.lastId(tx, memberId)),
      listAfter: (after: string, limit: number) =>
        this.database.read(companyId, (tx) => this.notifications.listAfter(tx, memberId, after, limit)),
    };
    return new NotificationStream(inbox).begin();
  }
}
