import { Injectable } from '@nestjs/common';
import { cutAtWord } from '@palabre/text';

import { badInput, existing, notFound } from '../../common/errors/domain-error.js';
import { isId, newIdAfter, NIL_ID, parseId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest, readCursor } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { HintedStream, type Listen } from '../../platform/pubsub/hinted-stream.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import type { Viewer } from '../auth/viewer.js';
import { notificationsAdded } from '../companies.events.js';
import { EXPORT_PAGE, MemberData, pageById } from '../members/member-data.js';
import type { Notification } from './notification.entity.js';
import { notificationOrder, NotificationRepository } from './notification.repository.js';

const PAGE = 100;

/** Instead of an id: from the first notification. */
const FROM_THE_FIRST = '0';

interface FollowedInbox {
  /** The hints are ids of new notifications. */
  listen: Listen;
  lastId(): Promise<string | null>;
  /** Oldest first. */
  listAfter(id: string, limit: number): Promise<Notification[]>;
}

/**
 * A member's notifications from `begin` on, each once and in order. Hints may be lost, doubled or out of order: they only
 * say when to read what comes after the last notification given.
 */
export class NotificationStream extends HintedStream<Notification> {
  private page: Notification[] = [];
  private position = NIL_ID;
  private mayHaveMore = false;

  constructor(private readonly inbox: FollowedInbox) {
    super(inbox);
  }

  /** `after`: the id of the last notification that the reader has; null: only what is stored from now on. */
  async begin(after: string | null = null): Promise<this> {
    this.position = await this.listening(async () => after ?? (await this.inbox.lastId()) ?? NIL_ID);
    this.mayHaveMore = after !== null;
    return this;
  }

  protected override onTold({ id }: Notification): void {
    this.position = id;
  }

  protected override release(): void {
    super.release();
    this.page = [];
  }

  protected override async find(): Promise<Notification | null> {
    while (!this.isClosed) {
      const next = this.page.shift();
      if (next) return next;
      if (this.mayHaveMore) await this.look();
      else await this.wait();
    }
    return null;
  }

  /** Notifications are stored in the order of their ids, so a hint with an earlier id is old. */
  protected override onHint(id: string): void {
    const known = this.page.at(-1)?.id ?? this.position;
    if (isId(id) && id > known) this.onGap();
  }

  protected override onGap(): void {
    this.mayHaveMore = true;
    this.wake();
  }

  private async look(): Promise<void> {
    this.mayHaveMore = false;
    this.page = await this.readOnceConnected(() => this.inbox.listAfter(this.position, PAGE));
    if (this.page.length === PAGE) this.mayHaveMore = true;
  }
}

export type NewNotification = Pick<Notification, 'memberId' | 'kind' | 'title' | 'body' | 'turnId'>;

/** Each member has a topic, so that a listener is woken by that member's notifications only. */
function topicOf(memberId: string): string {
  return `notification.${memberId}`;
}

/** Notifications belong to their recipient. To everybody else they do not exist. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationRepository,
    private readonly events: DomainEvents,
    private readonly pubSub: PubSub,
    data: MemberData,
  ) {
    const names = ['id', 'kind', 'title', 'body', 'turnId', 'readAt', 'createdAt'] as const;
    data.onExport('notifications', async (tx, memberId, after) =>
      pageById(await notifications.listAfter(tx, { memberId }, after, EXPORT_PAGE), names),
    );
  }

  /** Deletes the notifications about a conversation's turns: they may hold the beginning of an answer. */
  deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    return this.notifications.deleteOf(tx, conversationId);
  }

  /** Marks the requests of a turn as read once nobody needs to answer them. */
  closeRequests(tx: Transaction, turnId: string): Promise<void> {
    return this.notifications.markRequestsRead(tx, turnId);
  }

  /** Stores a notification, and publishes it once `tx` commits. Does nothing for a member who was erased. */
  add(tx: Transaction, notification: NewNotification): Promise<void> {
    return this.addAll(tx, [notification]);
  }

  /** Adds several. Call it once in a transaction: it locks the members' inboxes until the transaction ends. */
  async addAll(tx: Transaction, notifications: readonly NewNotification[]): Promise<void> {
    if (notifications.length === 0) return;
    const memberIds = [...new Set(notifications.map(({ memberId }) => memberId))];
    const inboxes = await this.notifications.lockInboxes(tx, memberIds);
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
      this.notifications.insertAll(tx, rows),
      // Queued on the same connection after the insert, on whose rows it depends.
      this.events.emit(tx, notificationsAdded, rows),
      ...rows.map(({ memberId, id }) => this.pubSub.publish(tx, topicOf(memberId), id)),
    ]);
  }

  async find(viewer: Viewer, id: string): Promise<Notification | null> {
    if (!isId(id)) return null;
    return this.database.read(viewer.companyId, (tx) =>
      this.notifications.find(tx, { memberId: viewer.id, id }),
    );
  }

  list(
    viewer: Viewer,
    page: ForwardPageArguments,
    { unreadOnly }: { unreadOnly: boolean },
  ): Promise<Page<Notification>> {
    const request = pageRequest(page, notificationOrder);
    const key = { memberId: viewer.id, ...(unreadOnly && { readAt: null }) };
    return this.database.read(viewer.companyId, (tx) =>
      this.notifications.page(tx, notificationOrder, request, key),
    );
  }

  /** Keeps the time of the first reading. Rejects with NOT_FOUND. */
  async markRead(viewer: Viewer, id: string): Promise<Notification> {
    if (!isId(id)) throw notFound('notification');
    return this.database.transaction(viewer.companyId, async (tx) => {
      const key = { memberId: viewer.id, id };
      await this.notifications.update(tx, { ...key, readAt: null }, { readAt: new Date() });
      return existing(await this.notifications.find(tx, key), 'notification');
    });
  }

  /** Marks all of the viewer's own as read. Gives the number of those that were not before. */
  markAllRead(viewer: Viewer): Promise<number> {
    return this.database.transaction(viewer.companyId, (tx) => this.notifications.markAllRead(tx, viewer.id));
  }

  /**
   * The viewer's notifications after `after`, then live. Null: from now on; `0`: from the first. Rejects with
   * BAD_USER_INPUT. The caller must call its return().
   */
  async follow({ id: memberId, companyId }: Viewer, after: string | null): Promise<NotificationStream> {
    const inbox = {
      listen: (...hear: Parameters<Listen>) => this.pubSub.follow(topicOf(memberId), ...hear),
      lastId: () => this.database.read(companyId, (tx) => this.notifications.lastId(tx, memberId)),
      listAfter: (after: string, limit: number) =>
        this.database.read(companyId, (tx) => this.notifications.listAfter(tx, { memberId }, after, limit)),
    };
    return new NotificationStream(inbox).begin(after === null ? null : positionOf(after));
  }
}

function positionOf(after: string): string {
  if (after === FROM_THE_FIRST) return NIL_ID;
  const position = parseId(after) ?? readCursor(after, notificationOrder)?.[0];
  if (position !== undefined) return position;
  throw badInput(['after'], 'This is neither the id of a notification nor a cursor of notifications.');
}

/** A longer body of a notification is cut. */
export const MAX_BODY_CHARACTERS = 200;

/** The beginning of a text on one line, at most `maxLength` UTF-16 units long, cut between words where possible. */
export function excerpt(text: string, maxLength: number): string {
  // Without reading a long text to its end.
  const beginning = text.slice(0, maxLength * 5);
  const line = beginning.replaceAll(/\s+/g, ' ').trim();
  return cutAtWord(line, maxLength, { sizeOf: ({ length }) => length, hasMore: beginning !== text });
}
