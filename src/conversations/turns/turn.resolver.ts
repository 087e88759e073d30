import { Args, Int, Mutation, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';

import { ID } from '../../common/schema/fields.js';
import { CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { TurnEvent as StoredTurnEvent, Usage as TurnUsage } from './turn-event.js';
import { TurnEvent } from './turn-event.model.js';
import type { Turn } from './turn.entity.js';
import { TurnModel, Usage } from './turn.model.js';
import { TurnsService } from './turns.service.js';

@Resolver(() => TurnModel)
export class TurnResolver {
  constructor(private readonly turns: TurnsService) {}

  @Query(() => TurnModel, {
    nullable: true,
    description: 'One of the viewer’s own. Null if the id is unknown.',
  })
  turn(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a turn.' }) id: string,
  ): Promise<Turn | null> {
    return this.turns.find(viewer, id);
  }

  @Mutation(() => TurnModel, {
    description: 'Ends a turn early and keeps the partial answer. Repeating it has no effect.',
  })
  cancelTurn(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a turn.' }) id: string,
  ): Promise<Turn> {
    return this.turns.cancel(viewer, id);
  }

  @Subscription(() => TurnEvent, {
    description:
      'The events of a turn later than after, each once and in order, then live ones. It completes after TurnDone.',
    resolve: (event: StoredTurnEvent) => event,
  })
  turnEvents(
    @CurrentViewer() viewer: Viewer,
    @Args('turnId', { type: () => ID, description: 'The id of a turn, running or ended.' }) turnId: string,
    @Args('after', {
      type: () => Int,
      nullable: true,
      defaultValue: 0,
      description: 'The sequence of the last event already seen. 0: from the beginning.',
    })
    after: number | null,
  ): Promise<AsyncIterableIterator<StoredTurnEvent>> {
    return this.turns.events(viewer, turnId, after ?? 0);
  }

  @ResolveField(() => Usage, {
    description:
      'The usage. During the turn: as of the last skill call, or of the last time it paused for people or moved to another process; zero before that.',
  })
  usage(@Parent() turn: Turn): TurnUsage {
    return turn;
  }
}
