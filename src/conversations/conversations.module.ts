import { Module } from '@nestjs/common';

import { AssistantsModule } from '../assistants/assistants.module.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { SearchModule } from '../search/search.module.js';
import { ConversationExportRepository } from './conversation-export.repository.js';
import { ConversationExport } from './conversation-export.service.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationResolver } from './conversation.resolver.js';
import { ConversationsService } from './conversations.service.js';
import { ConversationImports } from './import/conversation-imports.service.js';
import { ImportResolver } from './import/import.resolver.js';
import { MessageRepository } from './message.repository.js';
import { ConversationIndexing } from './indexing/conversation-indexing.service.js';
import { MessageIndex } from './indexing/message-index.service.js';
import { MessageRecall } from './recall/message-recall.service.js';
import { MessageTerms } from './recall/message-terms.service.js';
import { RecallRepository } from './recall/recall.repository.js';

@Module({
  imports: [AssistantsModule, CompaniesModule, NodesModule, SearchModule],
  providers: [
    ConversationExport,
    ConversationExportRepository,
    ConversationImports,
    ConversationIndexing,
    ConversationRepository,
    ConversationResolver,
    ConversationsService,
    ImportResolver,
    MessageIndex,
    MessageRecall,
    MessageRepository,
    MessageTerms,
    RecallRepository,
  ],
  exports: [ConversationsService, MessageRecall],
})
export class ConversationsModule {
  constructor(nodes: NodeFinders, conversations: ConversationsService) {
    nodes.register('Conversation', (viewer, id) => conversations.find(viewer, id));
    nodes.register('Message', (viewer, id) => conversations.findMessage(viewer, id));
  }
}
