import { OwedWork } from '../../src/companies/owed-work.service.js';
import { MemberData } from '../../src/companies/members/member-data.js';
import { NotificationRepository } from '../../src/companies/notifications/notification.repository.js';
import { NotificationsService } from '../../src/companies/notifications/notifications.service.js';
import { WebhookDeliveries } from '../../src/companies/notifications/webhooks/webhook-deliveries.service.js';
import { WebhookSender } from '../../src/companies/notifications/webhooks/webhook-sender.service.js';
import { WebhookRepository } from '../../src/companies/notifications/webhooks/webhook.repository.js';
import { DomainEvents } from '../../src/platform/events/domain-events.js';
import type { Resources } from '../../src/app/app.module.js';

/** What stores notifications in a server's database, as its own modules do. */
export function inboxOf({
  database,
  jobs,
  pubSub,
  outbound,
  secrets,
  logger,
}: Resources): NotificationsService {
  const sender = new WebhookSender(outbound, secrets);
  const owed = new OwedWork(database, jobs, logger);
  const events = new DomainEvents();
  // Listens for what the inbox adds.
  void new WebhookDeliveries(database, jobs, new WebhookRepository(), sender, logger, owed, events);
  return new NotificationsService(database, new NotificationRepository(), events, pubSub, new MemberData());
}
