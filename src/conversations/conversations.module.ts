import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationResolver } from './conversation.resolver.js';
import { ConversationsService } from './conversations.service.js';
import { MessageRepository } from './message.repository.js';

@Module({
  imports: [AssistantsModule],
  providers: [ConversationRepository, ConversationResolver, ConversationsService, MessageRepository],
  exports: [ConversationsService],
})
export class ConversationsModule {}
