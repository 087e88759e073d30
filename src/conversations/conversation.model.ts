import { Field, ObjectType } from '@nestjs/graphql';

import { Node, Nullable, DateTime } from '../common/schema/fields.js';

@ObjectType('Conversation', {
  implements: () => [Node],
  description: 'The messages between one member and one assistant.',
})
export class ConversationModel extends Node {
  @Nullable(
    () => String,
    'A short title: by the member, or else by the model once it has made one, or else the first question. Null if there is none yet.',
  )
  title!: string | null;

  @Field(() => Boolean, {
    description: 'Whether it is archived. Lists omit archived conversations by default.',
  })
  archived!: boolean;

  @Field(() => Boolean, {
    description: 'Whether it is pinned. This does not change its place in lists: use the filter.',
  })
  pinned!: boolean;

  @Field(() => DateTime, { description: 'When it started.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the last question or answer was added.' })
  updatedAt!: Date;
}
