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
    description: 'One of the viewer’s own; null when there is none of that id.',
  })
  turn(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A turn’s id.' }) id: string,
  ): Promise<Turn | null> {
    return this.turns.find(viewer, id);
  }

  @Mutation(() => TurnModel, {
    description: 'Ends a turn early; what there is of the answer is kept. Doing so twice does no harm.',
  })
  cancelTurn(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A turn’s id.' }) id: string,
  ): Promise<Turn> {
    return this.turns.cancel(viewer, id);
  }

  @Subscription(() => TurnEvent, {
    description:
      'The turn’s events later than after, each once and in order, then live, up to TurnDone; then it completes.',
    resolve: (event: StoredTurnEvent) => event,
  })
  turnEvents(
    @CurrentViewer() viewer: Viewer,
    @Args('turnId', { type: () => ID, description: 'A turn’s id, under way or ended.' }) turnId: string,
    @Args('after', {
      type: () => Int,
      nullable: true,
      defaultValue: 0,
      description: 'The sequence of the last event already seen; 0: from the beginning.',
    })
    after: number | null,
  ): Promise<AsyncIterableIterator<StoredTurnEvent>> {
    return this.turns.events(viewer, turnId, after ?? 0);
  }

  @ResolveField(() => Usage, {
    description:
      'What it used up. While it is under way: up to its last skill call, or to where it last stopped for people or went to another process; zero before that.',
  })
  usage(@Parent() turn: Turn): TurnUsage {
    return turn;
  }
}
