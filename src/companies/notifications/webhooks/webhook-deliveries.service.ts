import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { OwedWork } from '../../owed-work.service.js';
import { Database } from '../../../platform/database/database.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Notification } from '../notification.entity.js';
import { notificationsAdded } from '../../companies.events.js';
import { deliverWebhook } from '../../companies.jobs.js';
import { type Webhook, type DueDelivery, WebhookRepository } from './webhook.repository.js';
import { WebhookSender, type WebhookAttempt } from './webhook-sender.service.js';

/** The delay before each retry: a day and a half in all, to survive a night at the weekend. */
const RETRY_DELAYS_S = [10, 60, 300, 1_800, 7_200, 18_000, 36_000, 64_800];

/** How long one run of the job takes. The rest is enqueued again. */
const MAX_RUN_MS = 30_000;

/** Longer than a receiver may take. After this time without an outcome, the process that was sending is dead. */
const SENDING_S = 20;

/** How long a run waits for another one that is sending to the same webhook. */
const LOOK_AGAIN_S = 2;

/** After a failure even due deliveries wait this long, so that a receiver that is down gets a pause. */
const DELAY_AFTER_FAILURE_S = 10;

/** Delivers notifications to webhooks: at least once, in the order in which they are due, one at a time per webhook. */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly webhooks: WebhookRepository,
    private readonly sender: WebhookSender,
    @Inject(LOGGER) private readonly logger: Logger,
    owed: OwedWork,
    events: DomainEvents,
  ) {
    events.on(notificationsAdded, (tx, notifications) => this.enqueueAll(tx, notifications));
    owed.register(deliverWebhook, async (tx) => {
      const ids = await this.webhooks.listOverdue(tx);
      return ids.map((webhookId) => ({ companyId: tx.companyId, webhookId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(deliverWebhook, ({ companyId, webhookId }, signal) =>
      this.deliver(companyId, webhookId, signal),
    );
  }

  /** Enqueues the delivery of notifications that `tx` has stored. */
  private async enqueueAll(
    tx: Transaction,
    notifications: readonly Pick<Notification, 'id' | 'kind'>[],
  ): Promise<void> {
    for (const webhookId of await this.webhooks.addDeliveries(tx, notifications))
      await this.enqueue(tx, webhookId);
  }

  private enqueue(tx: Transaction, webhookId: string, startAfterSeconds = 0): Promise<void> {
    return this.jobs.enqueue(
      tx,
      deliverWebhook,
      { companyId: tx.companyId, webhookId },
      { startAfterSeconds },
    );
  }

  private async deliver(companyId: string, webhookId: string, signal: AbortSignal): Promise<void> {
    const until = Date.now() + MAX_RUN_MS;
    for (;;) {
      const taken = await this.database.transaction(companyId, (tx) =>
        this.take(tx, webhookId, Date.now() > until),
      );
      if (!taken) return;
      const { webhook, due } = taken;
      const outcome = await this.sender.send(webhook, messageOf(due), signal);
      if (outcome.failure !== null) return this.fail(webhook, due, outcome);
      await this.database.transaction(companyId, async (tx) => {
        // Locks the webhook before its deliveries, in the order of deleting it.
        await this.webhooks.recordAttempt(tx, webhookId, new Date(), null);
        await this.webhooks.removeDelivery(tx, webhookId, due.notificationId);
      });
    }
  }

  /** A delivery that is due, for this run alone. Null: there is none now; the next run has been enqueued if needed. */
  private async take(
    tx: Transaction,
    webhookId: string,
    isLate: boolean,
  ): Promise<{ webhook: Webhook; due: DueDelivery } | null> {
    // First, so that what another run has just sent is not found.
    const isTaken = await this.webhooks.take(tx, webhookId, SENDING_S);
    const [webhook, due] = await awaitAll([
      this.webhooks.find(tx, { id: webhookId }),
      this.webhooks.findDue(tx, webhookId),
    ]);
    const isOpen = webhook?.disabledAt === null && due !== null;
    if (isOpen && isTaken && due.dueInSeconds <= 0 && !isLate) return { webhook, due };
    if (isTaken) await this.webhooks.release(tx, webhookId);
    if (isOpen)
      await this.enqueue(tx, webhookId, isTaken ? Math.max(0, Math.ceil(due.dueInSeconds)) : LOOK_AGAIN_S);
    return null;
  }

  private async fail(webhook: Webhook, due: DueDelivery, { failure, isGone }: WebhookAttempt): Promise<void> {
    const { id, companyId } = webhook;
    const now = new Date();
    const delay = RETRY_DELAYS_S[due.tries];
    // Later messages were accepted, so the fault is in this message: drop it and keep the webhook.
    const hasWorked = webhook.lastSuccessAt !== null && webhook.lastSuccessAt > due.createdAt;
    const isOver = isGone || (delay === undefined && !hasWorked);
    await this.database.transaction(companyId, async (tx) => {
      await this.webhooks.recordAttempt(tx, id, now, failure);
      if (isOver) return this.webhooks.setActive(tx, id, false, now);
      if (delay === undefined) await this.webhooks.removeDelivery(tx, id, due.notificationId);
      else await this.webhooks.postpone(tx, id, due.notificationId, delay);
      await this.enqueue(tx, id, DELAY_AFTER_FAILURE_S);
    });
    if (isOver) this.logger.warn({ companyId, webhookId: id, failure }, 'a webhook is told no more');
  }
}

/** Leaves out the body: conversations belong to the member, webhooks to the admins. */
function messageOf(due: DueDelivery): Parameters<WebhookSender['send']>[1] {
  return {
    id: due.notificationId,
    type: 'notification.added',
    at: due.createdAt,
    data: {
      notification: { id: due.notificationId, kind: due.kind, title: due.title, turnId: due.turnId },
      member: { id: due.memberId, subject: due.memberSubject, name: due.memberName, email: due.memberEmail },
    },
  };
}
