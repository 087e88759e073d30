import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { TurnsModule } from '../turns/turns.module.js';
import { DocumentNotifications } from './document-notifications.service.js';
import { NotificationExport } from './notification-export.service.js';
import { NotificationRepository } from './notification.repository.js';
import { NotificationResolver } from './notification.resolver.js';
import { NotificationsService } from './notifications.service.js';
import { TurnNotifications } from './turn-notifications.service.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service.js';
import { WebhookSender } from './webhooks/webhook-sender.service.js';
import { WebhookRepository } from './webhooks/webhook.repository.js';
import { WebhookResolver } from './webhooks/webhook.resolver.js';
import { Webhooks } from './webhooks/webhooks.service.js';

@Module({
  imports: [
    AssistantsModule,
    CompaniesModule,
    ConversationsModule,
    DocumentsModule,
    NodesModule,
    TurnsModule,
  ],
  providers: [
    DocumentNotifications,
    NotificationExport,
    NotificationRepository,
    NotificationResolver,
    NotificationsService,
    TurnNotifications,
    WebhookDeliveries,
    WebhookRepository,
    WebhookResolver,
    WebhookSender,
    Webhooks,
  ],
})
export class NotificationsModule {
  constructor(nodes: NodeFinders, notifications: NotificationsService, webhooks: Webhooks) {
    nodes.register('Webhook', (viewer, id) => webhooks.find(viewer, id));
    nodes.register('Notification', (viewer, id) => notifications.find(viewer, id));
  }
}
