import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { CurrentViewer, OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { type Connection, toConnection } from '../common/schema/page.js';
import { listCost } from '../common/schema/cost.js';
import { ID, Json } from '../common/schema/fields.js';
import { MAX_HISTORY, MemoriesService } from './memories.service.js';
import type { Memory } from './memory.entity.js';
import { MemoriesArguments, MemoryConnection, MemoryModel, RememberInput } from './memory.model.js';

@Resolver(() => MemoryModel)
export class MemoryResolver {
  constructor(private readonly service: MemoriesService) {}

  @Query(() => MemoryConnection, {
    description: 'The viewer’s own memories and those shared in the company, newest first.',
  })
  async memories(
    @CurrentViewer() viewer: Viewer,
    @Args() { kind = null, active = null, ...page }: MemoriesArguments,
  ): Promise<Connection<Memory>> {
    return toConnection(await this.service.list(viewer, page, { kind, active }));
  }

  @Mutation(() => MemoryModel, {
    description:
      'Stores a memory from now on. The previous memory on the subject becomes history. Repeating the same content changes nothing.',
  })
  remember(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The memory to store.' }) input: RememberInput,
  ): Promise<Memory> {
    return this.service.remember(viewer, input);
  }

  @Mutation(() => MemoryModel, {
    description:
      'Replaces the current version with a new one. The old one becomes history. CONFLICT if there is a newer version: inForceId names it.',
  })
  updateMemory(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The current version.' }) id: string,
    @Args('content', { type: () => String, nullable: true, description: 'If omitted, it stays.' })
    content: string | null,
    @Args('attributes', {
      type: () => Json,
      nullable: true,
      description:
        'Replaces the attributes. For projects and contacts it changes only the given ones, and null removes one. If omitted, they stay as they are.',
    })
    attributes: JsonObject | null,
  ): Promise<Memory> {
    return this.service.update(viewer, id, { content, attributes });
  }

  @Mutation(() => ID, {
    description:
      'Erases a version and all earlier ones everywhere, including search indexes and stored prompts. Returns its id.',
  })
  async forget(
    @CurrentViewer() viewer: Viewer,
    @Args('id', {
      type: () => ID,
      description: 'The version. The current one takes the whole memory with it.',
    })
    id: string,
  ): Promise<string> {
    await this.service.forget(viewer, id);
    return id;
  }

  @ResolveField(() => Boolean, { description: 'Whether this version is current.' })
  active(@Parent() { supersededBy }: Memory): boolean {
    return supersededBy === null;
  }

  @ResolveField(() => Boolean, {
    description: 'Whether the whole company shares it.',
  })
  shared(@Parent() { ownerId }: Memory): boolean {
    return ownerId === null;
  }

  @ResolveField(() => [MemoryModel], {
    description: `The earlier versions, newest first: at most ${MAX_HISTORY}. The history of the last one has the rest.`,
    complexity: listCost(MAX_HISTORY),
  })
  history(@OperationLoaders() loaders: Loaders, @Parent() { id }: Memory): Promise<Memory[]> {
    return loaders.each(this.service, this.service.listHistories, id);
  }
}
