import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { listCost } from '../common/schema/cost.js';
import { MessageModel, TEXT_COST } from './conversation.model.js';
import type { Message } from './message.entity.js';
import { type MessagePart as Part, partsOf } from './message-part.js';
import { MessagePart } from './message-part.model.js';

@Resolver(() => MessageModel)
export class MessageResolver {
  @ResolveField(() => [MessagePart], {
    complexity: listCost(2, TEXT_COST),
    description: 'What it consists of, in order: text is the texts of the text parts, joined.',
  })
  parts(@Parent() message: Message): Part[] {
    return partsOf(message);
  }
}
