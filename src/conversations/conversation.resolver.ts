import { Args, Float, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection, type Page, PageArguments } from '../common/schema/page.js';
import { ID } from '../common/schema/fields.js';
import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { AssistantModel } from '../companies/assistants/assistant.model.js';
import { AssistantsService } from '../companies/assistants/assistants.service.js';
import { CurrentViewer, OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { ConversationImports } from './conversation-imports.service.js';
import type { Conversation } from './conversation.repository.js';
import { ConversationModel } from './conversation.model.js';
import { ImportConversationInput } from './imported-conversation.model.js';
import { ConversationList } from './conversation-list.service.js';
import { ConversationsService } from './conversations.service.js';
import { MessageIndex } from './message-index.service.js';
import type { Message } from './message.repository.js';
import { MessageConnection, MessageModel } from './message.model.js';

@Resolver(() => ConversationModel)
export class ConversationResolver {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly lists: ConversationList,
    private readonly assistants: AssistantsService,
    private readonly imports: ConversationImports,
    private readonly index: MessageIndex,
  ) {}

  @Query(() => ConversationModel, {
    nullable: true,
    description: 'One of the viewer’s own. Null if the id is unknown.',
  })
  conversation(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a conversation.' }) id: string,
  ): Promise<Conversation | null> {
    return this.conversations.find(viewer, id);
  }

  @Mutation(() => ConversationModel, {
    description:
      'Stores a conversation from another system as the viewer’s own. It can be continued, and is recalled like any other as soon as this returns.',
  })
  importConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The conversation.' }) input: ImportConversationInput,
  ): Promise<Conversation> {
    return this.imports.import(viewer, input);
  }

  @ResolveField(() => AssistantModel, { description: 'The assistant that answers.' })
  assistant(
    @OperationLoaders() loaders: Loaders,
    @Parent() conversation: Conversation,
  ): Promise<Assistant | null> {
    return loaders.one(this.assistants, this.assistants.findMany, conversation.assistantId);
  }

  @ResolveField(() => Float, {
    complexity: 5,
    description:
      'The share of the conversation that the compact index covers, 0 to 1. The rest is recalled as well. Stays 0 if the assistant does not recall conversations.',
  })
  indexProgress(@OperationLoaders() loaders: Loaders, @Parent() conversation: Conversation): Promise<number> {
    return loaders.each(this.index, this.index.progress, conversation.id);
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'A summary, in points, of the older messages of the shown path. Null if there are none.',
  })
  summary(
    @OperationLoaders() loaders: Loaders,
    @Parent() conversation: Conversation,
  ): Promise<string | null> | null {
    if (conversation.memberId !== loaders.viewer.id) return null;
    return loaders.each(this.conversations, this.conversations.findSummaries, conversation.id);
  }

  @ResolveField(() => MessageModel, {
    nullable: true,
    description: 'The last message of the shown path. Null if the conversation is empty.',
  })
  head(
    @OperationLoaders() loaders: Loaders,
    @Parent() conversation: Conversation,
  ): Promise<Message | null> | null {
    if (conversation.memberId !== loaders.viewer.id) return null;
    return loaders.each(this.conversations, this.conversations.findHeads, conversation.id);
  }

  @ResolveField(() => MessageConnection, {
    description: 'The messages in conversation order: the shown path, or the path to leaf.',
  })
  async messages(
    @OperationLoaders() loaders: Loaders,
    @Parent() conversation: Conversation,
    @Args() page: PageArguments,
    @Args('leaf', {
      type: () => ID,
      nullable: true,
      description: 'The last message of the path to list. Null: the shown path, which ends at head.',
    })
    leaf: string | null,
  ): Promise<Connection<Message>> {
    const read = (): Promise<Page<Message>> =>
      this.lists.listMessages(loaders.viewer, conversation, leaf ?? null, page);
    return toConnection(await loaders.readBetween(read));
  }
}
