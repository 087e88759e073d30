import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { AssistantHooks } from './assistant-hooks.js';
import { AssistantRepository } from './assistant.repository.js';
import { AssistantResolver } from './assistant.resolver.js';
import { AssistantsService } from './assistants.service.js';
import { PromptResolver } from './prompts/prompt.resolver.js';
import { PromptVersionRepository } from './prompts/prompt-version.repository.js';
import { PromptsService } from './prompts/prompts.service.js';
import { PublishedPrompts } from './prompts/published-prompts.service.js';

@Module({
  imports: [CompaniesModule, NodesModule],
  providers: [
    AssistantHooks,
    AssistantRepository,
    AssistantResolver,
    AssistantsService,
    PromptResolver,
    PromptVersionRepository,
    PromptsService,
    PublishedPrompts,
  ],
  exports: [AssistantHooks, AssistantsService],
})
export class AssistantsModule {
  constructor(nodes: NodeFinders, assistants: AssistantsService) {
    nodes.register('Assistant', async (viewer, id) => (await assistants.findMany(viewer, [id]))[0]);
  }
}
