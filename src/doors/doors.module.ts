import { Module } from '@nestjs/common';

import { AgentModelsModule } from '../agent/agent-models.module.js';
import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { FilesModule } from '../companies/files/files.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { ApiModule } from '../graphql/graphql.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { openAiProviders } from './openai/openai-providers.js';
import { AgUiDoor } from './ag-ui/ag-ui.service.js';
import { AiSdkDoor } from './ai-sdk/ai-sdk.service.js';
import { ClientThreads } from './client-threads.service.js';
import { Doors } from './doors.service.js';
import { InlineFiles } from './inline-files.service.js';
import { AssistantTools } from './mcp/assistant-tools.service.js';
import { DocumentResources } from './mcp/document-resources.service.js';
import { McpDoor } from './mcp/mcp-door.service.js';
import { McpOffer } from './mcp/mcp-offer.service.js';
import { SkillOffer } from './mcp/skill-offer.service.js';
import { TurnWaits } from './mcp/turn-waits.service.js';

const mcp = [AssistantTools, DocumentResources, McpDoor, McpOffer, SkillOffer, TurnWaits];

/** Other protocols over the services that GraphQL is over. */
@Module({
  imports: [
    AgentModelsModule,
    ApiModule,
    AssistantsModule,
    ConversationsModule,
    DocumentsModule,
    FilesModule,
    SkillsModule,
    TurnsModule,
  ],
  providers: [AgUiDoor, AiSdkDoor, ClientThreads, Doors, InlineFiles, ...mcp, ...openAiProviders],
})
export class DoorsModule {}
