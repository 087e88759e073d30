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
    description: 'The assistants of the viewer’s company, by key; archived ones are shown to admins alone.',
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
    description: 'The assistants of the viewer’s company, by key; archived ones are shown to admins alone.',
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
    return this.settings.update(viewer, key, input);
  }
}

@Resolver(() => AssistantModel)
export class AssistantMakingResolver {
  constructor(private readonly settings: AssistantSettings) {}

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description: `Makes an assistant; a company has at most ${MAX_ASSISTANTS}. CONFLICT for a key that there is. For admins; audited.`,
  })
  createAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What it is to be.' }) input: CreateAssistantInput,
  ): Promise<Assistant> {
    return this.settings.create(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description:
      'Makes an assistant with the settings and the prompt that another one has now, that may use the same skills. What is changed of one later is not changed of the other. For admins; audited.',
  })
  copyAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'Of the assistant to be copied.' }) key: string,
    @Args('newKey', { description: 'Of the copy: as in createAssistant.' }) newKey: string,
    @Args('name', { description: 'What people call the copy.' }) name: string,
  ): Promise<Assistant> {
    return this.settings.copy(viewer, key, { newKey, name });
  }

  @AtLeast('ADMIN')
  @Mutation(() => AssistantModel, {
    description:
      'Retires an assistant, or takes it back into use. A retired one begins no more turns, which is BAD_USER_INPUT; those under way go on, and its conversations stay readable. For admins; audited.',
  })
  archiveAssistant(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'Such as mefali.' }) key: string,
    @Args('archived', { description: 'Whether it is retired.' }) archived: boolean,
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
    description: 'The prompt in force; null unless an admin asks.',
  })
  prompt(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<Prompt | null> {
    return this.prompts.find(viewer, assistant);
  }

  @ResolveField(() => [PromptVersionModel], {
    complexity: listCost(MAX_SHOWN, QUERY_COST),
    description:
      'The versions, newest first, the one that ships last: at most 100 published ones. Empty unless an admin asks.',
  })
  promptHistory(@CurrentViewer() viewer: Viewer, @Parent() assistant: Assistant): Promise<Prompt[]> {
    return this.prompts.list(viewer, assistant);
  }

  @AtLeast('ADMIN')
  @Mutation(() => PromptVersionModel, {
    description:
      'Publishes a new base prompt of an assistant of the viewer’s company, in force from the next turn on. For admins; audited. A template that could not be used is BAD_USER_INPUT, with extensions.problems saying what is wrong and where.',
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
      'Puts an earlier base prompt back in force, from the next turn on; no version is removed. For admins; audited.',
  })
  rollbackPrompt(
    @CurrentViewer() viewer: Viewer,
    @Args('assistantKey', { description: 'Such as mefali.' }) assistantKey: string,
    @Args('version', { type: () => Int, description: 'Of the prompt’s history; 0 is the one that ships.' })
    version: number,
  ): Promise<Prompt> {
    return this.prompts.rollBack(viewer, assistantKey, version);
  }
}
