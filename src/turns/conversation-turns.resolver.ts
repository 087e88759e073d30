import DataLoader from 'dataloader';
import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { ID } from '../common/schema/scalars.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import { ConversationModel } from '../conversations/conversation.model.js';
import { keepsBusy } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';

const activeTurns = new LoaderKey<Turn | null>();
const turnsBegunMeanwhile = new LoaderKey<Turn | null>();

/** Where conversations meet turns, which they know nothing of. */
@Resolver(() => ConversationModel)
export class ConversationTurnsResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description:
      'The turn that keeps the conversation busy: the one under way or waiting for approval, else the next in line. While there is none, one that was moved to the background, which does not keep it busy. Null when there is neither.',
  })
  activeTurn(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() conversation: Conversation,
  ): Promise<Turn | null> {
    const load = (key: LoaderKey<Turn | null>): Promise<Turn | null> =>
      loaders.of(key, () => new DataLoader((ids) => this.listActive(viewer, ids))).load(conversation.id);
    // Around the messages: whoever is shown neither an answer nor a turn to follow would wait for nothing.
    return loaders.readAround(load(activeTurns), () => load(turnsBegunMeanwhile));
  }

  @Mutation(() => ID, {
    description:
      'Removes one of the viewer’s conversations with all its turns; those under way are cancelled. Files that were made in it stay until deleteFile. Answers its id.',
  })
  deleteConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A conversation’s id.' }) id: string,
  ): Promise<string> {
    return this.turns.deleteConversation(viewer, id);
  }

  private async listActive(viewer: Viewer, ids: readonly string[]): Promise<(Turn | null)[]> {
    const unfinished = await this.turns.listUnfinished(viewer, ids);
    const byConversation = Map.groupBy(unfinished, (turn) => turn.conversationId);
    return ids.map((id) => activeOf(byConversation.get(id) ?? []));
  }
}

/** The one that the conversation is busy with; while there is none, one that goes on in the background. */
const activeOf = (unfinished: readonly Turn[]): Turn | null =>
  unfinished.find(keepsBusy) ?? unfinished[0] ?? null;
