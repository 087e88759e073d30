import { Module } from '@nestjs/common';

import { AgentModelsModule } from '../agent/agent-models.module.js';
import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { FilesModule } from '../companies/files/files.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { ApiModule } from '../graphql/graphql.module.js';
import { SkillsModule } from '../skills/skills.module.js';
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
import { AskedFiles } from './openai/asked-files.service.js';
import { Asks } from './openai/asks.service.js';
import { ChatDoor } from './openai/chat-door.service.js';
import { CompactDoor } from './openai/compact-door.service.js';
import { GivenInputs } from './openai/given-inputs.service.js';
import { ModelsDoor } from './openai/models-door.service.js';
import { ResponsesDoor } from './openai/responses-door.service.js';
import { ResponsesSocket } from './openai/responses-socket.service.js';
import { Responses } from './openai/responses.service.js';
import { UnknownRoutes } from './openai/unknown-routes.service.js';
import { QuestionPlaces } from './question-places.service.js';
import { TurnFollower } from './turn-follower.service.js';

const openAi = [
  AskedFiles,
  Asks,
  ChatDoor,
  CompactDoor,
  GivenInputs,
  ModelsDoor,
  Responses,
  ResponsesDoor,
  ResponsesSocket,
  TurnFollower,
  UnknownRoutes,
];
const mcp = [AssistantTools, DocumentResources, McpDoor, McpOffer, SkillOffer, TurnWaits];

/** Other protocols over the same services as GraphQL. */
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
  providers: [AgUiDoor, AiSdkDoor, ClientThreads, Doors, InlineFiles, QuestionPlaces, ...mcp, ...openAi],
})
export class DoorsModule {}
