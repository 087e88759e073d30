import DataLoader from 'dataloader';
import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../../auth/graphql-context.js';
import type { Viewer } from '../../auth/viewer.js';
import { ID } from '../../common/schema/scalars.js';
import type { Conversation } from '../../conversations/conversation.entity.js';
import { ConversationModel } from '../../conversations/conversation.model.js';
import type { Memory } from '../../memory/memory.entity.js';
import { MemoryModel } from '../../memory/memory.model.js';
import { ProjectPins } from './project-pins.service.js';

/** Where conversations meet memories, which know nothing of each other. */
const projects = new LoaderKey<Memory | null>();

@Resolver(() => ConversationModel)
export class PinnedProjectResolver {
  constructor(private readonly pins: ProjectPins) {}

  @ResolveField(() => MemoryModel, {
    nullable: true,
    description:
      'The project pinned to it, as it is now. Null when none is, and when it was forgotten. A project that a message names goes before it.',
  })
  async activeProject(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() { activeProjectId }: Conversation,
  ): Promise<Memory | null> {
    const loader = loaders.of(projects, () => new DataLoader((ids) => this.pins.findMany(viewer, ids)));
    return activeProjectId === null ? null : loader.load(activeProjectId);
  }

  @Mutation(() => ConversationModel, {
    description: 'Has one of the viewer’s conversations be about a project, from its next turn on.',
  })
  pinProject(
    @CurrentViewer() viewer: Viewer,
    @Args('conversationId', { type: () => ID, description: 'A conversation’s id.' }) conversationId: string,
    @Args('memoryId', {
      type: () => ID,
      nullable: true,
      description:
        'Any version of a project of the viewer’s or of the company’s. Null: none is pinned any more.',
    })
    memoryId: string | null = null,
  ): Promise<Conversation> {
    return this.pins.pin(viewer, conversationId, memoryId);
  }
}
