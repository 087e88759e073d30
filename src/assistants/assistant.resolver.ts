import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import type { Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import type { Assistant } from './assistant.entity.js';
import { AssistantModel, BackgroundBudget, Budget, UpdateAssistantInput } from './assistant.model.js';
import { AssistantsService } from './assistants.service.js';

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

  @ResolveField(() => BackgroundBudget, {
    description: 'What one turn may use up once it goes on in the background, which PLANNED ones do.',
  })
  backgroundBudget(@Parent() assistant: Assistant): BackgroundBudget {
    return { maxSteps: assistant.backgroundMaxSteps, maxSeconds: assistant.backgroundMaxSeconds };
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description: 'Changes an assistant of the viewer’s company, from the next turn on. For admins; audited.',
  })
  updateAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'Such as mefali.' }) key: string,
    @Args('input', { description: 'What to change.' }) input: UpdateAssistantInput,
  ): Promise<Assistant> {
    return this.assistants.update(viewer, key, input);
  }
}
