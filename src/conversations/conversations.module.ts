import { Module } from '@nestjs/common';

import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { NodeFinders } from '../companies/auth/node-finders.js';
import { NodesModule } from '../companies/auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { SearchModule } from '../documents/search-index/search.module.js';
import { AttachmentUploadsResolver } from './attachments/attachment-uploads.resolver.js';
import { AttachmentUploads } from './attachments/attachment-uploads.service.js';
import { ConversationExport } from './conversation-export.service.js';
import { ConversationImports } from './conversation-imports.service.js';
import { ConversationListResolver } from './conversation-list.resolver.js';
import { ConversationListRepository } from './conversation-list.repository.js';
import { ConversationList } from './conversation-list.service.js';
import { ConversationRepository } from './conversation.repository.js';
import { ConversationResolver } from './conversation.resolver.js';
import { ConversationsService } from './conversations.service.js';
import { ConversationIndexing, MessageIndex } from './message-index.service.js';
import { MessageRepository } from './message.repository.js';
import { MessagePathRepository } from './message-path.repository.js';
import { MessageTreeRepository } from './message-tree.repository.js';
import { MessageResolver } from './message.resolver.js';
import { MessageTree } from './message-tree.service.js';
import { MessageRecall, MessageTerms } from './recall/message-recall.service.js';
import { MessageSearchResolver } from './recall/message-search.resolver.js';
import { MessageSearch } from './recall/message-search.service.js';
import { RecallRepository } from './recall/recall.repository.js';

@Module({
  imports: [AssistantsModule, CompaniesModule, DocumentsModule, NodesModule, SearchModule],
  providers: [
    AttachmentUploads,
    AttachmentUploadsResolver,
    ConversationExport,
    ConversationImports,
    ConversationIndexing,
    ConversationList,
    ConversationListRepository,
    ConversationListResolver,
    ConversationRepository,
    ConversationResolver,
    ConversationsService,
    MessageIndex,
    MessagePathRepository,
    MessageRecall,
    MessageRepository,
    MessageSearch,
    MessageSearchResolver,
    MessageTerms,
    MessageTree,
    MessageTreeRepository,
    MessageResolver,
    RecallRepository,
  ],
  exports: [
    AttachmentUploads,
    ConversationImports,
    ConversationList,
    ConversationsService,
    MessageIndex,
    MessagePathRepository,
    MessageRecall,
    MessageTree,
  ],
})
export class ConversationsModule {
  constructor(nodes: NodeFinders, conversations: ConversationsService) {
    nodes.register('Conversation', (viewer, id) => conversations.find(viewer, id));
    nodes.register('Message', (viewer, id) => conversations.findMessage(viewer, id));
  }
}
