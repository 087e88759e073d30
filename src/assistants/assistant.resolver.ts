import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import type { Viewer } from '../auth/viewer.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantModel, Budget, PromptVersionModel } from './assistant.model.js';
import { AssistantsService, type PromptInForce } from './assistants.service.js';

@Resolver(() => AssistantModel)
export class AssistantResolver {
  constructor(private readonly assistants: AssistantsService) {}

  @Query(() => [AssistantModel], {
    name: 'assistants',
    description: 'The assistants of the viewer’s company.',
  })
  list(@CurrentViewer() viewer: Viewer): Promise<Assistant[]> {
    return this.assistants.list(viewer);
  }

  @Query(() => AssistantModel, {
    nullable: true,
    description: 'One assistant; null when there is none of that key.',
  })
  assistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'Such as mefali.' }) key: string,
  ): Promise<Assistant | null> {
    return this.assistants.find(viewer, key);
  }

  @ResolveField(() => Budget, { description: 'What one turn may use up.' })
  budget(@Parent() assistant: Assistant): Budget {
    return assistant;
  }

  @ResolveField(() => PromptVersionModel, {
    nullable: true,
    description: 'The prompt in force; null unless an admin asks.',
  })
  prompt(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<PromptInForce | null> {
    return this.assistants.findPrompt(viewer, assistant);
  }

  @ResolveField(() => [PromptVersionModel], {
    description: 'Every version, newest first; empty unless an admin asks.',
  })
  promptHistory(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<PromptInForce[]> {
    return this.assistants.listPrompts(viewer, assistant);
  }
}
