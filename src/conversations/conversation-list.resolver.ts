import { Args, Mutation, Query, Resolver, Subscription } from '@nestjs/graphql';

import { type Connection, toConnection } from '../common/schema/page.js';
import { ID } from '../common/schema/fields.js';
import { CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { GraphQLContext } from '../companies/auth/graphql-context.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Conversation } from './conversation.repository.js';
import { ConversationModel } from './conversation.model.js';
import { ConversationList } from './conversation-list.service.js';
import type { ConversationStream } from './conversation-stream.js';
import {
  ConversationConnection,
  ConversationsArguments,
  UpdateConversationInput,
} from './conversation-list.model.js';

/** The operation may last for days: rows are read anew for each change. */
function readAnew(conversation: Conversation, _args: unknown, { loaders }: GraphQLContext): Conversation {
  loaders.clear();
  return conversation;
}

const WHEN =
  'each question and answer, another path that is shown, another title, another active turn or one that waits or goes on, and archived or pinned';

@Resolver(() => ConversationModel)
export class ConversationListResolver {
  constructor(private readonly conversations: ConversationList) {}

  @Query(() => ConversationConnection, {
    name: 'conversations',
    description:
      'The viewer’s own, the most recently used first; without a filter, those that were not put away.',
  })
  async list(
    @CurrentViewer() viewer: Viewer,
    @Args() { filter, ...page }: ConversationsArguments,
  ): Promise<Connection<Conversation>> {
    return toConnection(await this.conversations.list(viewer, filter, page));
  }

  @Mutation(() => ConversationModel, {
    description: 'Names one of the viewer’s conversations, puts it away or keeps it at hand.',
  })
  updateConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to change.' }) input: UpdateConversationInput,
  ): Promise<Conversation> {
    return this.conversations.update(viewer, input);
  }

  @Subscription(() => ConversationModel, {
    description: `One of the viewer’s conversations after each change from now on: ${WHEN}. Changes close to each other may be told as one. It completes when the conversation is deleted.`,
    resolve: readAnew,
  })
  conversationChanged(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A conversation’s id.' }) id: string,
  ): Promise<ConversationStream<Conversation>> {
    return this.conversations.follow(viewer, id);
  }

  @Subscription(() => ConversationModel, {
    description: `Whichever of the viewer’s conversations has changed, from now on: a new one, ${WHEN}. Changes close to each other may be told as one. It does not complete by itself; those that are deleted are told by conversationDeleted.`,
    resolve: readAnew,
  })
  conversationsChanged(@CurrentViewer() viewer: Viewer): Promise<ConversationStream<Conversation>> {
    return this.conversations.followAll(viewer);
  }

  @Subscription(() => ID, {
    description: 'The id of each of the viewer’s conversations that is deleted from now on.',
    resolve: (id: string) => id,
  })
  conversationDeleted(@CurrentViewer() viewer: Viewer): Promise<ConversationStream<string>> {
    return this.conversations.followDeleted(viewer);
  }
}
