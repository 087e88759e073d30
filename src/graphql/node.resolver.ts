import { Args, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../companies/auth/viewer-decorators.js';
import { NodeFinders } from '../companies/auth/node-finders.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { Node, ID } from '../common/schema/fields.js';

@Resolver(() => Node)
export class NodeResolver {
  constructor(private readonly nodes: NodeFinders) {}

  @Query(() => Node, {
    nullable: true,
    description: 'Any Node that the viewer may see. Null otherwise. Only admins can query members.',
  })
  node(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a Node.' }) id: string,
  ): Promise<object | null> {
    return this.nodes.find(viewer, id);
  }
}
