import { ArgsType, Field, ObjectType, InputType } from '@nestjs/graphql';

import { Nullable, ID } from '../common/schema/fields.js';
import { connectionOf, PageArguments } from '../common/schema/page.js';
import { MAX_TITLE_CHARACTERS } from './title.js';
import { ConversationModel } from './conversation.model.js';

@ObjectType({ description: 'A page of conversations, the most recently used first.' })
export class ConversationConnection extends connectionOf(ConversationModel, 'Conversation') {}

@InputType({ description: 'Which conversations are listed: those that meet all of it.' })
export class ConversationFilter {
  @Nullable(
    () => String,
    `Their title holds this, whatever its accents and capitals, or one of their messages all of its words, as searchMessages finds them: 1 to ${MAX_TITLE_CHARACTERS} characters.`,
  )
  text?: string | null;

  @Nullable(() => String, 'They are with this assistant.')
  assistantKey?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'They were put away, or not; null: either.',
  })
  archived?: boolean | null;

  @Nullable(() => Boolean, 'They are pinned, or not; null: either.')
  pinned?: boolean | null;
}

@ArgsType()
export class ConversationsArguments extends PageArguments {
  @Nullable(() => ConversationFilter, 'Which are listed. Null: all that were not put away.')
  filter?: ConversationFilter | null;
}

@InputType({ description: 'What to change of a conversation. Left out: as it was.' })
export class UpdateConversationInput {
  @Field(() => ID, { description: 'One of the viewer’s own.' })
  id!: string;

  @Nullable(
    () => String,
    `One line of 1 to ${MAX_TITLE_CHARACTERS} characters. No model changes it any more.`,
  )
  title?: string | null;

  @Nullable(() => Boolean, 'Whether it is put away. It can be read and gone on with all the same.')
  archived?: boolean | null;

  @Nullable(() => Boolean, 'Whether it is kept at hand.')
  pinned?: boolean | null;
}
