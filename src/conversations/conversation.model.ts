import { Field, ObjectType } from '@nestjs/graphql';

import { Node, Nullable, DateTime } from '../common/schema/fields.js';

@ObjectType('Conversation', {
  implements: () => [Node],
  description: 'What one member and one assistant said to each other.',
})
export class ConversationModel extends Node {
  @Nullable(
    () => String,
    'What it is about, in a few words: by its member, or else by the model once it was asked, until then from the first question. Null while there is none.',
  )
  title!: string | null;

  @Field(() => Boolean, { description: 'Whether it was put away: lists leave it out unless asked for it.' })
  archived!: boolean;

  @Field(() => Boolean, {
    description: 'Whether it is kept at hand. It has no other place in lists for that: see their filter.',
  })
  pinned!: boolean;

  @Field(() => DateTime, { description: 'When it began.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the last question or answer was said.' })
  updatedAt!: Date;
}
