import { Args, Query, Resolver, Mutation, Parent, ResolveField } from '@nestjs/graphql';

import { ID } from '../../common/schema/fields.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Conversation } from '../../conversations/conversation.repository.js';
import { ConversationModel } from '../../conversations/conversation.model.js';
import type { Memory } from '../memory.entity.js';
import { MemoryModel } from '../memory.model.js';
import type { MemoryContext } from './memory-context.js';
import { MemoryContextArguments, MemoryContextModel } from './memory-context.model.js';
import { ContextPreviews } from './memory-contexts.service.js';
import { ProjectPins } from './project-pins.service.js';

@Resolver(() => MemoryContextModel)
export class MemoryContextResolver {
  constructor(private readonly previews: ContextPreviews) {}

  @Query(() => MemoryContextModel, {
    description:
      'The remembered information that a turn with this message would receive now. Changes nothing.',
  })
  memoryContext(
    @CurrentViewer() viewer: Viewer,
    @Args() asked: MemoryContextArguments,
  ): Promise<MemoryContext> {
    return this.previews.show(viewer, asked);
  }
}

@Resolver(() => ConversationModel)
export class PinnedProjectResolver {
  constructor(private readonly pins: ProjectPins) {}

  @ResolveField(() => MemoryModel, {
    nullable: true,
    description:
      'The pinned project, in its current version. Null if none is pinned, or if it was forgotten. A project named in a message takes precedence.',
  })
  async activeProject(
    @OperationLoaders() loaders: Loaders,
    @Parent() { activeProjectId }: Conversation,
  ): Promise<Memory | null> {
    return activeProjectId === null ? null : loaders.each(this.pins, this.pins.findMany, activeProjectId);
  }

  @Mutation(() => ConversationModel, {
    description: 'Pins a project to one of the viewer’s conversations, from the next turn on.',
  })
  pinProject(
    @CurrentViewer() viewer: Viewer,
    @Args('conversationId', { type: () => ID, description: 'The id of a conversation.' })
    conversationId: string,
    @Args('memoryId', {
      type: () => ID,
      nullable: true,
      description: 'Any version of a project of the viewer or the company. Null removes the pin.',
    })
    memoryId: string | null = null,
  ): Promise<Conversation> {
    return this.pins.pin(viewer, conversationId, memoryId);
  }
}
