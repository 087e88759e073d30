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
    description: 'What is remembered for the viewer: their own and what the company shares, newest first.',
  })
  async memories(
    @CurrentViewer() viewer: Viewer,
    @Args() { kind = null, active = null, ...page }: MemoriesArguments,
  ): Promise<Connection<Memory>> {
    return toConnection(await this.service.list(viewer, page, { kind, active }));
  }

  @Mutation(() => MemoryModel, {
    description:
      'Notes something from now on. What was in force on the subject stays as history; the same said again changes nothing.',
  })
  remember(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to remember.' }) input: RememberInput,
  ): Promise<Memory> {
    return this.service.remember(viewer, input);
  }

  @Mutation(() => MemoryModel, {
    description:
      'Has a new version take the place of the one in force, which stays as history. CONFLICT when there is a newer one already; inForceId names it.',
  })
  updateMemory(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The version in force.' }) id: string,
    @Args('content', { type: () => String, nullable: true, description: 'Left out: as it was.' })
    content: string | null,
    @Args('attributes', {
      type: () => Json,
      nullable: true,
      description:
        'In the place of those there are; of projects and contacts only those that are given, and null takes one out. Left out: as they were.',
    })
    attributes: JsonObject | null,
  ): Promise<Memory> {
    return this.service.update(viewer, id, { content, attributes });
  }

  @Mutation(() => ID, {
    description:
      'Erases a version and all before it, everywhere: also from what is searched and from prompts that were kept. Gives its id.',
  })
  async forget(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A version; the one in force takes all with it.' }) id: string,
  ): Promise<string> {
    await this.service.forget(viewer, id);
    return id;
  }

  @ResolveField(() => Boolean, { description: 'Whether it is in force: no newer version took its place.' })
  active(@Parent() { supersededBy }: Memory): boolean {
    return supersededBy === null;
  }

  @ResolveField(() => Boolean, {
    description: 'Whether it is the whole company’s, and not the viewer’s own.',
  })
  shared(@Parent() { ownerId }: Memory): boolean {
    return ownerId === null;
  }

  @ResolveField(() => [MemoryModel], {
    description: `The versions before it, newest first: at most ${MAX_HISTORY}, of which the last has the rest.`,
    complexity: listCost(MAX_HISTORY),
  })
  history(@OperationLoaders() loaders: Loaders, @Parent() { id }: Memory): Promise<Memory[]> {
    return loaders.each(this.service, this.service.listHistories, id);
  }
}
