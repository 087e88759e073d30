import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Notification } from '../notification.entity.js';
import { deliverWebhook } from './deliver-webhook.job.js';
import type { Webhook } from './webhook.entity.js';
import { type DueDelivery, WebhookRepository } from './webhook.repository.js';
import { WebhookSender, type WebhookTry } from './webhook-sender.service.js';

/** Before each further try, in seconds: a day and a half in all, so that a weekend's night does no harm. */
const PAUSES_S = [10, 60, 300, 1_800, 7_200, 18_000, 36_000, 64_800];

/** For one piece of work; the rest is put in line again. */
const MOST_MS = 30_000;

/** What is due at once after a failure waits so long, or a receiver that is down would be asked without a pause. */
const PAUSE_AFTER_FAILURE_S = 10;

/**
 * Tells webhooks of notifications: at least once, in the order of their being due, one at a time for each webhook.
 */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly webhooks: WebhookRepository,
    private readonly sender: WebhookSender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(deliverWebhook, ({ companyId, webhookId }, signal) =>
      this.deliver(companyId, webhookId, signal),
    );
  }

  /** Has the company's webhooks told of notifications that `tx` has stored. */
  async put(tx: Transaction, notifications: readonly Pick<Notification, 'id' | 'kind'>[]): Promise<void> {
    for (const webhookId of await this.webhooks.putDeliveries(tx, notifications)) {
      await this.putInLine(tx, webhookId);
    }
  }

  private putInLine(tx: Transaction, webhookId: string, startAfterSeconds = 0): Promise<void> {
    return this.jobs.enqueue(
      tx,
      deliverWebhook,
      { companyId: tx.companyId, webhookId },
      { startAfterSeconds },
    );
  }

  private async deliver(companyId: string, webhookId: string, signal: AbortSignal): Promise<void> {
    const until = Date.now() + MOST_MS;
    for (;;) {
      const [webhook, due] = await this.database.read(companyId, (tx) =>
        Promise.all([this.webhooks.find(tx, webhookId), this.webhooks.findDue(tx, webhookId)]),
      );
      if (!webhook || webhook.disabledAt !== null || !due) return;
      const waitMs = due.dueAt.getTime() - Date.now();
      if (waitMs > 0 || Date.now() > until) return this.goOnLater(companyId, webhookId, waitMs / 1000);
      const outcome = await this.sender.send(webhook, messageOf(due), signal);
      if (outcome.failure !== null) return this.fail(webhook, due, outcome);
      await this.database.transaction(companyId, async (tx) => {
        await this.webhooks.removeDelivery(tx, webhookId, due.notificationId);
        await this.webhooks.note(tx, webhookId, new Date(), null);
      });
    }
  }

  private goOnLater(companyId: string, webhookId: string, seconds: number): Promise<void> {
    return this.database.transaction(companyId, (tx) =>
      this.putInLine(tx, webhookId, Math.max(0, Math.ceil(seconds))),
    );
  }

  private async fail(webhook: Webhook, due: DueDelivery, { failure, isGone }: WebhookTry): Promise<void> {
    const { id, companyId } = webhook;
    const now = new Date();
    const pause = PAUSES_S[due.tries];
    // Others were taken meanwhile: it is the message that is not, and the next one may be.
    const hasWorked = webhook.lastSuccessAt !== null && webhook.lastSuccessAt > due.createdAt;
    const isOver = isGone || (pause === undefined && !hasWorked);
    await this.database.transaction(companyId, async (tx) => {
      await this.webhooks.note(tx, id, now, failure);
      if (isOver) return this.webhooks.setActive(tx, id, false, now);
      if (pause === undefined) await this.webhooks.removeDelivery(tx, id, due.notificationId);
      else {
        const dueAt = new Date(now.getTime() + pause * 1000);
        await this.webhooks.postpone(tx, id, due.notificationId, dueAt);
      }
      await this.putInLine(tx, id, PAUSE_AFTER_FAILURE_S);
    });
    if (isOver) this.logger.warn({ companyId, webhookId: id, failure }, 'a webhook is told no more');
  }
}

/** Nothing that was said in a conversation: it is the member's, and webhooks are their admins'. */
const messageOf = (due: DueDelivery): Parameters<WebhookSender['send']>[1] => ({
  id: due.notificationId,
  type: 'notification.added',
  at: due.createdAt,
  data: {
    notification: { id: due.notificationId, kind: due.kind, title: due.title, turnId: due.turnId },
    member: { id: due.memberId, subject: due.memberSubject, name: due.memberName, email: due.memberEmail },
  },
});
