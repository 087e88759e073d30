import DataLoader from 'dataloader';
import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { ID } from '../common/scalars.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import { ConversationModel } from '../conversations/conversation.model.js';
import { keepsBusy } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';

const activeTurns = new LoaderKey<Turn | null>();

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
    const loader = loaders.of(
      activeTurns,
      () =>
        new DataLoader(async (ids) => {
          const byConversation = Map.groupBy(
            await this.turns.listUnfinished(viewer, ids),
            (turn) => turn.conversationId,
          );
          return ids.map((id) => activeOf(byConversation.get(id) ?? []));
        }),
    );
    return loader.load(conversation.id);
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
}

/** The one that the conversation is busy with; while there is none, one that goes on in the background. */
const activeOf = (unfinished: readonly Turn[]): Turn | null =>
  unfinished.find(keepsBusy) ?? unfinished[0] ?? null;
