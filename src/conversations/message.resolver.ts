import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { listCost } from '../common/schema/cost.js';
import { OperationLoaders } from '../companies/auth/current-viewer.decorator.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import type { Attachment } from '../documents/attachments/attachment.js';
import { Attachments } from '../documents/attachments/attachments.service.js';
import { MessageModel, TEXT_COST } from './conversation.model.js';
import type { Message } from './message.entity.js';
import { type AttachedPart, type MessagePart as Part, partsOf } from './message-part.js';
import { MessagePart } from './message-part.model.js';

@Resolver(() => MessageModel)
export class MessageResolver {
  constructor(private readonly attachments: Attachments) {}

  @ResolveField(() => Boolean)
  hidden(@Parent() message: Message): boolean {
    return message.hidden ?? false;
  }

  @ResolveField(() => [MessagePart], {
    complexity: listCost(2, TEXT_COST),
    description:
      'What it consists of, in order: text is the texts of the text parts, joined. Attachments follow it; those that were deleted are left out.',
  })
  async parts(@OperationLoaders() loaders: Loaders, @Parent() message: Message): Promise<Part[]> {
    const { attachmentIds } = message;
    if (!attachmentIds) return partsOf(message);
    const find = (id: string) => loaders.one(this.attachments, this.attachments.findMany, id);
    const found = await Promise.all(attachmentIds.map(find));
    return [...partsOf(message), ...found.flatMap((attachment) => (attachment ? [partOf(attachment)] : []))];
  }
}

function partOf(attachment: Attachment): AttachedPart {
  return { type: attachment.kind === 'IMAGE' ? 'image' : 'file', attachment };
}
