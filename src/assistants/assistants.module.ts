import { Module } from '@nestjs/common';

import { AssistantRepository } from './assistant.repository.js';
import { AssistantResolver } from './assistant.resolver.js';
import { AssistantsService } from './assistants.service.js';

@Module({
  providers: [AssistantRepository, AssistantResolver, AssistantsService],
  exports: [AssistantsService],
})
export class AssistantsModule {}
