import { Module } from '@nestjs/common';

import { FilesModule } from '../companies/files/files.module.js';
import { ConversationsModule } from '../conversations/conversations.module.js';
import { TurnsModule } from '../conversations/turns/turns.module.js';
import { ApiModule } from '../graphql/graphql.module.js';
import { AgUiDoor } from './ag-ui/ag-ui.service.js';
import { AiSdkDoor } from './ai-sdk/ai-sdk.service.js';
import { Doors } from './doors.service.js';
import { InlineFiles } from './inline-files.service.js';
import { Threads } from './threads.service.js';

/** Other protocols over the services that GraphQL is over. */
@Module({
  imports: [ApiModule, ConversationsModule, FilesModule, TurnsModule],
  providers: [AgUiDoor, AiSdkDoor, Doors, InlineFiles, Threads],
})
export class DoorsModule {}
