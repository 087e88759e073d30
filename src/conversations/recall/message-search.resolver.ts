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
      'Messages of the viewer’s own conversations in which words are found, on any branch, also inflected or with a typing error: those with most of the words first, then the newest. Not those that are off the record or were forgotten, and not failed answers.',
  })
  searchMessages(
    @CurrentViewer() viewer: Viewer,
    @Args('query', { description: `The words, 1 to ${MAX_QUERY_CHARACTERS} characters.` }) query: string,
    @Args('first', {
      type: () => Int,
      nullable: true,
      defaultValue: DEFAULT_FIRST,
      description: `How many at most, 1 to ${MAX_FOUND}.`,
    })
    first: number | null,
  ): Promise<MessageHit[]> {
    return this.messages.search(viewer, { query, first: first ?? DEFAULT_FIRST });
  }

  @ResolveField(() => ConversationModel, { description: 'The conversation that it is in.' })
  conversation(
    @OperationLoaders() loaders: Loaders,
    @Parent() { message }: MessageHit,
  ): Promise<Conversation | null> {
    return loaders.one(this.conversations, this.conversations.findMany, message.conversationId);
  }
}
