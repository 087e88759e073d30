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
  'a new question or answer, another shown path, a new title, another active turn or one that waits or continues, and a change of archived or pinned';

@Resolver(() => ConversationModel)
export class ConversationListResolver {
  constructor(private readonly conversations: ConversationList) {}

  @Query(() => ConversationConnection, {
    name: 'conversations',
    description:
      'The viewer’s conversations, most recently used first. Without a filter, archived ones are omitted.',
  })
  async list(
    @CurrentViewer() viewer: Viewer,
    @Args() { filter, ...page }: ConversationsArguments,
  ): Promise<Connection<Conversation>> {
    return toConnection(await this.conversations.list(viewer, filter, page));
  }

  @Mutation(() => ConversationModel, {
    description: 'Renames, archives or pins one of the viewer’s conversations.',
  })
  updateConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The changes.' }) input: UpdateConversationInput,
  ): Promise<Conversation> {
    return this.conversations.update(viewer, input);
  }

  @Subscription(() => ConversationModel, {
    description: `One of the viewer’s conversations, after each change from now on: ${WHEN}. Changes in quick succession may arrive as one. It completes when the conversation is deleted.`,
    resolve: readAnew,
  })
  conversationChanged(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a conversation.' }) id: string,
  ): Promise<ConversationStream<Conversation>> {
    return this.conversations.follow(viewer, id);
  }

  @Subscription(() => ConversationModel, {
    description: `Each of the viewer’s conversations that changes from now on: a new conversation, ${WHEN}. Changes in quick succession may arrive as one. It never completes by itself. Deletions are reported by conversationDeleted.`,
    resolve: readAnew,
  })
  conversationsChanged(@CurrentViewer() viewer: Viewer): Promise<ConversationStream<Conversation>> {
    return this.conversations.followAll(viewer);
  }

  @Subscription(() => ID, {
    description: 'The ids of the viewer’s conversations that are deleted from now on.',
    resolve: (id: string) => id,
  })
  conversationDeleted(@CurrentViewer() viewer: Viewer): Promise<ConversationStream<string>> {
    return this.conversations.followDeleted(viewer);
  }
}
