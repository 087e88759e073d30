import { Module } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { AssistantRepository } from './assistant.repository.js';
import { AssistantMakingResolver, AssistantResolver, PromptResolver } from './assistant.resolver.js';
import { AssistantSettings } from './assistant-settings.service.js';
import { AssistantsService } from './assistants.service.js';
import { PromptVersionRepository } from './prompt-version.repository.js';
import { PromptsService } from './prompts.service.js';
import { ShippedAssistants } from './definitions/shipped-assistants.service.js';

@Module({
  imports: [CompaniesModule, NodesModule, ProvidersModule],
  providers: [
    AssistantMakingResolver,
    AssistantRepository,
    AssistantResolver,
    AssistantSettings,
    {
      provide: AssistantsService,
      useFactory: (database: Database, assistants: AssistantRepository, { all }: ShippedAssistants) =>
        new AssistantsService(database, assistants, all),
      inject: [Database, AssistantRepository, ShippedAssistants],
    },
    PromptResolver,
    PromptVersionRepository,
    PromptsService,
    ShippedAssistants,
  ],
  exports: [AssistantsService, PromptsService, ShippedAssistants],
})
export class AssistantsModule {
  constructor(nodes: NodeFinders, assistants: AssistantsService) {
    nodes.register('Assistant', async (viewer, id) => (await assistants.findMany(viewer, [id]))[0]);
  }
}
