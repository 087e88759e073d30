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
  ],
  exports: [NotificationsService],
})
export class NotificationsModule {
  constructor(nodes: NodeFinders, notifications: NotificationsService) {
    nodes.register('Notification', (viewer, id) => notifications.find(viewer, id));
  }
}
