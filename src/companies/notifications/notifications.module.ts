import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies.module.js';
import { CompanyRepository } from '../company.repository.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationRepository } from './notification.repository.js';
import { NotificationResolver } from './notification.resolver.js';
import { WebhookAddressEncryption, Webhooks } from './webhooks/webhooks.service.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service.js';
import { WebhookSender } from './webhooks/webhook-sender.service.js';
import { WebhookRepository } from './webhooks/webhook.repository.js';
import { WebhookResolver } from './webhooks/webhook.resolver.js';

@Module({
  imports: [CompaniesModule, NodesModule],
  providers: [
    CompanyRepository,
    NotificationRepository,
    NotificationResolver,
    NotificationsService,
    WebhookAddressEncryption,
    WebhookDeliveries,
    WebhookRepository,
    WebhookResolver,
    WebhookSender,
    Webhooks,
  ],
  exports: [NotificationsService],
})
export class NotificationsModule {
  constructor(nodes: NodeFinders, notifications: NotificationsService, webhooks: WebhookRepository) {
    nodes.registerForAdmins('Webhook', webhooks);
    nodes.register('Notification', (viewer, id) => notifications.find(viewer, id));
  }
}
