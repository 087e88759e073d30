import { Field, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import { listCost } from '../common/schema/cost.js';
import type { Message } from '../conversations/message.repository.js';
import { ForeignLinks, foreignLinksOf } from './foreign-links.service.js';
import { MessageModel } from '../conversations/message.model.js';

@ObjectType({
  description:
    'A link or an image of an answer that the question does not give, of a turn that has read texts of strangers: one of these may have had the model write it, with what is not theirs to know in its address.',
})
class ForeignLink {
  @Field(() => String, { description: 'The address, as it stands in the answer shown as Markdown.' })
  url!: string;

  @Field(() => Boolean, {
    description:
      'Whether it is fetched as soon as the answer is shown, and not only when somebody follows it.',
  })
  image!: boolean;
}

@Resolver(() => MessageModel)
export class ForeignLinksResolver {
  constructor(private readonly links: ForeignLinks) {}

  @ResolveField(() => [ForeignLink], {
    complexity: listCost(5),
    description:
      'Beside its citations, the links and images of an answer that came, or may have come, from texts of strangers. Images among them should not be loaded, nor links followed, before the reader has seen where they lead. None where the turn has read no such texts, and in questions.',
  })
  async foreignLinks(
    @OperationLoaders() loaders: Loaders,
    @Parent() message: Message,
  ): Promise<ForeignLink[]> {
    if (message.turnId === null || message.role !== 'ASSISTANT') return [];
    return foreignLinksOf(message, await loaders.each(this.links, this.links.readOrigins, message.turnId));
  }
}
