import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { listCost } from '../common/schema/cost.js';
import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import { type Attachment, Attachments } from '../documents/attachments/attachments.service.js';
import type { Message } from './message.repository.js';
import { type AttachedPart, type MessagePart as Part, partsOf } from './message-part.js';
import { MessagePart } from './message-part.model.js';
import { MessageTree } from './message-tree.service.js';
import { MessageModel, TEXT_COST } from './message.model.js';

@Resolver(() => MessageModel)
export class MessageResolver {
  constructor(
    private readonly tree: MessageTree,
    private readonly attachments: Attachments,
  ) {}

  @ResolveField(() => Boolean)
  hidden(@Parent() message: Message): boolean {
    return message.hidden ?? false;
  }

  @ResolveField(() => [MessagePart], {
    complexity: listCost(2, TEXT_COST),
    description:
      'The parts in order. The field text joins the text parts. Attachments come after the text; deleted ones are omitted.',
  })
  async parts(@OperationLoaders() loaders: Loaders, @Parent() message: Message): Promise<Part[]> {
    const { attachmentIds } = message;
    if (!attachmentIds) return partsOf(message);
    const find = (id: string) => loaders.one(this.attachments, this.attachments.findMany, id);
    const found = await Promise.all(attachmentIds.map(find));
    return [...partsOf(message), ...found.flatMap((attachment) => (attachment ? [partOf(attachment)] : []))];
  }

  @ResolveField(() => MessageModel, {
    nullable: true,
    complexity: 5,
    description: 'The previous message. Null for a first message.',
  })
  parent(
    @OperationLoaders() loaders: Loaders,
    @Parent() { id, hidden }: Message,
  ): Promise<Message | null> | null {
    if (hidden) return null;
    return loaders.each(this.tree, this.tree.findParents, id);
  }

  @ResolveField(() => [MessageModel], {
    complexity: listCost(5),
    description:
      'The messages with the same parent and role, oldest first, including this one: versions of a question, or answers to it.',
  })
  versions(@OperationLoaders() loaders: Loaders, @Parent() message: Message): Promise<Message[]> | Message[] {
    if (message.hidden) return [message];
    return loaders.each(this.tree, this.tree.listVersions, message.id);
  }
}

function partOf(attachment: Attachment): AttachedPart {
  return { type: attachment.kind === 'IMAGE' ? 'image' : 'file', attachment };
}
