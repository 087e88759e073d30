import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { ID } from '../../common/schema/fields.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Notification } from '../../companies/notifications/notification.entity.js';
import { NotificationModel } from '../../companies/notifications/notification.model.js';
import type { Conversation } from '../conversation.repository.js';
import { ConversationModel } from '../conversation.model.js';
import type { Message } from '../message.repository.js';
import { keepsBusy } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnModel } from './turn.model.js';
import { MAX_DELETED, TurnsService } from './turns.service.js';
import { MessageModel } from '../message.model.js';

/** The turns of conversations. A separate resolver, because conversations do not know turns. */
@Resolver(() => ConversationModel)
export class ConversationTurnsResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description:
      'The turn that keeps the conversation busy: the one that is running or waiting for people, or else the next in the queue. If there is none, a turn in the background, which does not keep it busy. Null if there is neither.',
  })
  activeTurn(@OperationLoaders() loaders: Loaders, @Parent() { id }: Conversation): Promise<Turn | null> {
    // Read before and after the messages: a client shown neither an answer nor an active turn would never see the answer.
    return loaders.readAround(async (each) =>
      activeOf(await each.many(this.turns, this.turns.listUnfinished, 'conversationId', id)),
    );
  }

  @Mutation(() => ConversationModel, {
    description:
      'Shows the path through one of the viewer’s messages, continued to its latest message or to an answer that is still pending. The next question follows there.',
  })
  selectMessage(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a message.' }) id: string,
  ): Promise<Conversation> {
    return this.turns.selectMessage(viewer, id);
  }

  @Mutation(() => ID, {
    description:
      'Deletes one of the viewer’s conversations with all its turns, and returns its id. Running turns are cancelled. Files made in it stay until deleteFile.',
  })
  deleteConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a conversation.' }) id: string,
  ): Promise<string> {
    return this.turns.deleteConversation(viewer, id);
  }

  @Mutation(() => [ID], {
    description: `Deletes up to ${MAX_DELETED} of the viewer’s conversations as deleteConversation does, and returns their ids. If one does not exist, none is deleted.`,
  })
  deleteConversations(
    @CurrentViewer() viewer: Viewer,
    @Args('ids', { type: () => [ID], description: 'Conversation ids.' }) ids: string[],
  ): Promise<string[]> {
    return this.turns.deleteConversations(viewer, ids);
  }
}

/** The turn that keeps the conversation busy; if there is none, one in the background. */
function activeOf(unfinished: readonly Turn[]): Turn | null {
  return unfinished.find(keepsBusy) ?? unfinished[0] ?? null;
}

@Resolver(() => MessageModel)
export class MessageTurnResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description: 'The turn of the message. Null for imported messages, and if the turn was just deleted.',
  })
  turn(@OperationLoaders() loaders: Loaders, @Parent() { turnId }: Message): Promise<Turn | null> | null {
    if (turnId === null) return null;
    return loaders.one(this.turns, this.turns.findMany, turnId);
  }
}

@Resolver(() => NotificationModel)
export class NotificationTurnResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description:
      'The turn it is about. Null if there is none, or if it is gone or another member’s: what that turn asks of an admin is in pendingInputs.',
  })
  turn(
    @OperationLoaders() loaders: Loaders,
    @Parent() { turnId }: Notification,
  ): Promise<Turn | null> | null {
    if (turnId === null) return null;
    return loaders.one(this.turns, this.turns.findMany, turnId);
  }
}
