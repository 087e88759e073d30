import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationResolver } from './conversation.resolver.js';
import { ConversationsService } from './conversations.service.js';
import { MessageRepository } from './message.repository.js';

@Module({
  imports: [AssistantsModule, NodesModule],
  providers: [ConversationRepository, ConversationResolver, ConversationsService, MessageRepository],
  exports: [ConversationsService],
})
export class ConversationsModule {
  constructor(nodes: NodeFinders, conversations: ConversationsService) {
    nodes.register('Conversation', (viewer, id) => conversations.find(viewer, id));
    nodes.register('Message', (viewer, id) => conversations.findMessage(viewer, id));
  }
}
