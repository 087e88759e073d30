import { Module } from '@nestjs/common';

import { AgentModelsModule } from '../agent/agent-models.module.js';
import { AssistantsModule } from '../companies/assistants/assistants.module.js';
import { FilesModule } from '../companies/files/files.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { ApiModule } from '../graphql/graphql.module.js';
import { openAiProviders } from './openai/openai-providers.js';
import { Doors } from './doors.service.js';
import { InlineFiles } from './inline-files.service.js';

/** Other protocols over the services that GraphQL is over. */
@Module({
  imports: [AgentModelsModule, ApiModule, AssistantsModule, ConversationsModule, FilesModule, TurnsModule],
  providers: [Doors, InlineFiles, ...openAiProviders],
})
export class DoorsModule {}
