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

@InputType({ description: 'A message of a conversation that took place in another system.' })
export class ImportedMessageInput {
  @Field(() => MessageRole, {
    description: 'Whose side it was on. Of two people: the member is USER, the other one ASSISTANT.',
  })
  role!: RoleName;

  @Field(() => String, {
    description: `1 to ${MAX_IMPORTED_CHARACTERS} characters, not only blanks.`,
  })
  text!: string;

  @Nullable(
    () => String,
    `What whoever said it was called there, at most ${MAX_AUTHOR_CHARACTERS} characters.`,
  )
  author?: string | null;

  @Field(() => DateTime, {
    description: 'When it was said: not before the message before it, and not in the future.',
  })
  createdAt!: Date;
}

@InputType({ description: 'A conversation that took place in another system.' })
export class ImportConversationInput {
  @Field(() => String, { description: 'The assistant that the conversation is with from now on.' })
  assistantKey!: string;

  @Nullable(() => String, `At most ${MAX_TITLE_CHARACTERS} characters; null: from its first question.`)
  title?: string | null;

  @Field(() => [ImportedMessageInput], {
    description:
      `1 to ${MAX_IMPORTED_MESSAGES}, the oldest first, with at most ${MAX_IMPORTED_BYTES} bytes of text together. ` +
      'Send many as a variable, over HTTP: there are fewer words in a document, and bytes in a socket’s message.',
  })
  messages!: ImportedMessageInput[];
}
