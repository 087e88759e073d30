import { NotificationRepository } from '../../src/notifications/notification.repository.js';
import { NotificationsService } from '../../src/notifications/notifications.service.js';
import { WebhookDeliveries } from '../../src/notifications/webhooks/webhook-deliveries.service.js';
import { WebhookSender } from '../../src/notifications/webhooks/webhook-sender.service.js';
import { WebhookRepository } from '../../src/notifications/webhooks/webhook.repository.js';
import type { Resources } from '../../src/app.module.js';

/** What stores notifications in a server's database, as its own modules do. */
export const inboxOf = ({
  database,
  jobs,
  pubSub,
  outbound,
  secrets,
  logger,
}: Resources): NotificationsService => {
  const sender = new WebhookSender(outbound, secrets);
  const webhooks = new WebhookDeliveries(database, jobs, new WebhookRepository(), sender, logger);
  return new NotificationsService(database, new NotificationRepository(), webhooks, pubSub);
};
