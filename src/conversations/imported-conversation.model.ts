import { Field, InputType } from '@nestjs/graphql';

import { Nullable, DateTime } from '../common/schema/fields.js';
import {
  MAX_AUTHOR_CHARACTERS,
  MAX_IMPORTED_BYTES,
  MAX_IMPORTED_CHARACTERS,
  MAX_IMPORTED_MESSAGES,
} from './imported-conversation.js';
import type { MessageRole as RoleName } from './message.repository.js';
import { MAX_TITLE_CHARACTERS } from './title.js';
import { MessageRole } from './message.model.js';

@InputType({ description: 'A message of a conversation from another system.' })
export class ImportedMessageInput {
  @Field(() => MessageRole, {
    description: 'The side that wrote it. Of two people, the member is USER and the other one ASSISTANT.',
  })
  role!: RoleName;

  @Field(() => String, {
    description: `1 to ${MAX_IMPORTED_CHARACTERS} characters, not all blank.`,
  })
  text!: string;

  @Nullable(
    () => String,
    `The writer’s name in the other system: at most ${MAX_AUTHOR_CHARACTERS} characters.`,
  )
  author?: string | null;

  @Field(() => DateTime, {
    description: 'When it was written. Not earlier than the previous message, and not in the future.',
  })
  createdAt!: Date;
}

@InputType({ description: 'A conversation from another system.' })
export class ImportConversationInput {
  @Field(() => String, { description: 'The assistant that continues the conversation.' })
  assistantKey!: string;

  @Nullable(() => String, `At most ${MAX_TITLE_CHARACTERS} characters. Null: taken from the first question.`)
  title?: string | null;

  @Field(() => [ImportedMessageInput], {
    description: `1 to ${MAX_IMPORTED_MESSAGES}, oldest first, with at most ${MAX_IMPORTED_BYTES} bytes of text in total. Send long histories as a variable and over HTTP: documents are limited in tokens, and socket messages in bytes.`,
  })
  messages!: ImportedMessageInput[];
}
