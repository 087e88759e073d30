import { Args, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { listCost } from '../../common/schema/cost.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Conversation } from '../conversation.repository.js';
import { ConversationModel } from '../conversation.model.js';
import { ConversationsService } from '../conversations.service.js';
import { MAX_FOUND, MAX_QUERY_CHARACTERS, type MessageHit, MessageSearch } from './message-search.service.js';
import { MessageHitModel } from '../message.model.js';

const DEFAULT_FIRST = 10;

@Resolver(() => MessageHitModel)
export class MessageSearchResolver {
  constructor(
    private readonly messages: MessageSearch,
    private readonly conversations: ConversationsService,
  ) {}

  @Query(() => [MessageHitModel], {
    complexity: listCost(DEFAULT_FIRST),
    description:
      'Searches the messages of the viewer’s conversations on all branches, also by inflected or mistyped words. Ordered by the number of matching words, then newest first. Omits messages that are off the record or forgotten, failed answers, and questions that were cancelled before they were answered.',
  })
  searchMessages(
    @CurrentViewer() viewer: Viewer,
    @Args('query', { description: `The words: 1 to ${MAX_QUERY_CHARACTERS} characters.` }) query: string,
    @Args('first', {
      type: () => Int,
      nullable: true,
      defaultValue: DEFAULT_FIRST,
      description: `At most this many results: 1 to ${MAX_FOUND}.`,
    })
    first: number | null,
  ): Promise<MessageHit[]> {
    return this.messages.search(viewer, { query, first: first ?? DEFAULT_FIRST });
  }

  @ResolveField(() => ConversationModel, { description: 'The conversation of the message.' })
  conversation(
    @OperationLoaders() loaders: Loaders,
    @Parent() { message }: MessageHit,
  ): Promise<Conversation | null> {
    return loaders.one(this.conversations, this.conversations.findMany, message.conversationId);
  }
}
