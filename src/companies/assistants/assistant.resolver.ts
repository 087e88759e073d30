import { Args, Mutation, Parent, Query, ResolveField, Resolver, Int } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { listCost, QUERY_COST } from '../../common/schema/cost.js';
import { inOrderOfKeys, pageOfAll } from '../../platform/database/keyset.js';
import { AtLeast, CurrentViewer } from '../auth/viewer-decorators.js';
import type { Viewer } from '../auth/viewer.js';
import type { Assistant } from './assistant.repository.js';
import {
  AssistantConnection,
  AssistantModel,
  BackgroundBudget,
  Budget,
  CreateAssistantInput,
  UpdateAssistantInput,
  PromptVersionModel,
  PublishPromptArguments,
} from './assistant.model.js';
import { AssistantSettings, MAX_ASSISTANTS } from './assistant-settings.service.js';
import { AssistantsService } from './assistants.service.js';
import type { Prompt } from './prompt-version.entity.js';
import { MAX_SHOWN, PromptsService } from './prompts.service.js';

@Resolver(() => AssistantModel)
export class AssistantResolver {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly settings: AssistantSettings,
  ) {}

  @Query(() => AssistantConnection, {
    description: 'The assistants of the viewer’s company, ordered by key. Only admins see archived ones.',
  })
  async assistantsConnection(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<Assistant>> {
    return toConnection(pageOfAll(await this.assistants.list(viewer), inOrderOfKeys('assistants'), page));
  }

  @Query(() => [AssistantModel], {
    name: 'assistants',
    deprecationReason: 'Use assistantsConnection.',
    description: 'The assistants of the viewer’s company, ordered by key. Only admins see archived ones.',
  })
  list(@CurrentViewer() viewer: Viewer): Promise<Assistant[]> {
    return this.assistants.list(viewer);
  }

  @Query(() => AssistantModel, {
    nullable: true,
    description: 'One assistant. Null if the key is unknown.',
  })
  assistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'An assistant’s key, such as bibliotheque.' }) key: string,
  ): Promise<Assistant | null> {
    return this.assistants.find(viewer, key);
  }

  @ResolveField(() => Budget, { description: 'The limits of one turn.' })
  budget(@Parent() assistant: Assistant): Budget {
    return assistant;
  }

  @ResolveField(() => BackgroundBudget, {
    description: 'The limits of one turn in the background. Only PLANNED turns move there.',
  })
  backgroundBudget(@Parent() assistant: Assistant): BackgroundBudget {
    return { maxSteps: assistant.backgroundMaxSteps, maxSeconds: assistant.backgroundMaxSeconds };
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description: 'Changes an assistant of the viewer’s company, from the next turn on. Admins only. Audited.',
  })
  updateAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'An assistant’s key, such as bibliotheque.' }) key: string,
    @Args('input', { description: 'The changes.' }) input: UpdateAssistantInput,
  ): Promise<Assistant> {
    return this.settings.update(viewer, key, input);
  }
}

@Resolver(() => AssistantModel)
export class AssistantMakingResolver {
  constructor(private readonly settings: AssistantSettings) {}

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description: `Creates an assistant. A company can have ${MAX_ASSISTANTS}. CONFLICT if the key is taken. Admins only. Audited.`,
  })
  createAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'Its settings.' }) input: CreateAssistantInput,
  ): Promise<Assistant> {
    return this.settings.create(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description:
      'Creates an assistant with the current settings, prompt and skills of another. Later changes to one do not affect the other. Admins only. Audited.',
  })
  copyAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of the assistant to copy.' }) key: string,
    @Args('newKey', { description: 'The key of the copy, as in createAssistant.' }) newKey: string,
    @Args('name', { description: 'The display name of the copy.' }) name: string,
  ): Promise<Assistant> {
    return this.settings.copy(viewer, key, { newKey, name });
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description:
      'Retires an assistant or restores it. A retired assistant starts no more turns: BAD_USER_INPUT. Its running turns continue, and its conversations stay readable. Admins only. Audited.',
  })
  archiveAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'An assistant’s key, such as bibliotheque.' }) key: string,
    @Args('archived', { description: 'True to retire it, false to restore it.' }) archived: boolean,
  ): Promise<Assistant> {
    return this.settings.archive(viewer, key, archived);
  }
}

@Resolver(() => AssistantModel)
export class PromptResolver {
  constructor(private readonly prompts: PromptsService) {}

  @ResolveField(() => PromptVersionModel, {
    nullable: true,
    complexity: ({ childComplexity }) => QUERY_COST + childComplexity,
    description: 'The current prompt. Null unless the viewer is an admin.',
  })
  prompt(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<Prompt | null> {
    return this.prompts.find(viewer, assistant);
  }

  @ResolveField(() => [PromptVersionModel], {
    complexity: listCost(MAX_SHOWN, QUERY_COST),
    description: `The versions, newest first, the built-in one last: at most ${MAX_SHOWN} published ones. Empty unless the viewer is an admin.`,
  })
  promptHistory(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<Prompt[]> {
    return this.prompts.list(viewer, assistant);
  }

  @AtLeast('ADMIN')
  @Mutation(() => PromptVersionModel, {
    description:
      'Publishes a new base prompt for an assistant of the viewer’s company, effective from the next turn on. BAD_USER_INPUT if the template is unusable: extensions.problems says what is wrong and where. Admins only. Audited.',
  })
  publishPrompt(
    @CurrentViewer() viewer: Viewer,
    @Args() { assistantKey, ...prompt }: PublishPromptArguments,
  ): Promise<Prompt> {
    return this.prompts.publish(viewer, assistantKey, prompt);
  }

  @AtLeast('ADMIN')
  @Mutation(() => PromptVersionModel, {
    description:
      'Restores an earlier base prompt, effective from the next turn on. No version is removed. Admins only. Audited.',
  })
  rollbackPrompt(
    @CurrentViewer() viewer: Viewer,
    @Args('assistantKey', { description: 'An assistant’s key, such as bibliotheque.' }) assistantKey: string,
    @Args('version', {
      type: () => Int,
      description: 'A version in promptHistory. 0 is the built-in prompt.',
    })
    version: number,
  ): Promise<Prompt> {
    return this.prompts.rollBack(viewer, assistantKey, version);
  }
}
