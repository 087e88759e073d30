import { Args, ID, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import { NodeFinders } from '../auth/node-finders.js';
import type { Viewer } from '../auth/viewer.js';
import { Node } from '../common/node.model.js';

@Resolver(() => Node)
export class NodeResolver {
  constructor(private readonly nodes: NodeFinders) {}

  @Query(() => Node, {
    nullable: true,
    description: 'Anything that has an id, as far as the viewer may see it; null otherwise.',
  })
  node(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'Any id.' }) id: string,
  ): Promise<object | null> {
    return this.nodes.find(viewer, id);
  }
}
