import { Args, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import type { Viewer } from '../auth/viewer.js';
import { ContextPreviews } from './context-previews.service.js';
import type { MemoryContext } from './memory-context.js';
import { MemoryContextArguments, MemoryContextModel } from './memory-context.model.js';

@Resolver(() => MemoryContextModel)
export class MemoryContextResolver {
  constructor(private readonly previews: ContextPreviews) {}

  @Query(() => MemoryContextModel, {
    description:
      'What a turn with this message would be told of what is remembered, if it began now. Asking changes nothing.',
  })
  memoryContext(
    @CurrentViewer() viewer: Viewer,
    @Args() asked: MemoryContextArguments,
  ): Promise<MemoryContext> {
    return this.previews.show(viewer, asked);
  }
}
