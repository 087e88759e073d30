import { ArgsType, Field, ObjectType, InputType } from '@nestjs/graphql';

import { Nullable, ID } from '../common/schema/fields.js';
import { connectionOf, PageArguments } from '../common/schema/page.js';
import { MAX_TITLE_CHARACTERS } from './title.js';
import { ConversationModel } from './conversation.model.js';

@ObjectType({ description: 'A page of conversations, most recently used first.' })
export class ConversationConnection extends connectionOf(ConversationModel, 'Conversation') {}

@InputType({ description: 'Selects conversations. All given conditions must hold.' })
export class ConversationFilter {
  @Nullable(
    () => String,
    `The title contains this text, ignoring accents and case, or one message contains all of its words, matched as in searchMessages: 1 to ${MAX_TITLE_CHARACTERS} characters.`,
  )
  text?: string | null;

  @Nullable(() => String, 'With this assistant.')
  assistantKey?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Archived or not. Null: both.',
  })
  archived?: boolean | null;

  @Nullable(() => Boolean, 'Pinned or not. Null: both.')
  pinned?: boolean | null;
}

@ArgsType()
export class ConversationsArguments extends PageArguments {
  @Nullable(() => ConversationFilter, 'Selects the conversations. Null: all that are not archived.')
  filter?: ConversationFilter | null;
}

@InputType({ description: 'The changes. Omitted fields stay as they are.' })
export class UpdateConversationInput {
  @Field(() => ID, { description: 'One of the viewer’s conversations.' })
  id!: string;

  @Nullable(
    () => String,
    `One line of 1 to ${MAX_TITLE_CHARACTERS} characters. The model no longer changes it.`,
  )
  title?: string | null;

  @Nullable(() => Boolean, 'Whether to archive it. It can still be read and continued.')
  archived?: boolean | null;

  @Nullable(() => Boolean, 'Whether to pin it.')
  pinned?: boolean | null;
}
