import { ArgsType, Field, Float, Int, ObjectType, InputType } from '@nestjs/graphql';

import { enumType, Node, Nullable, DateTime, ID } from '../common/schema/fields.js';
import { connectionOf, PageArguments } from '../common/schema/page.js';
import { listCost } from '../common/schema/cost.js';
import type { MessageRole as RoleName, MessageStatus as StatusName } from './message.repository.js';
import { MAX_TITLE_CHARACTERS } from './title.js';

/** A text's length is unknown when the cost is computed. */
export const TEXT_COST = 20;

export const MessageRole = enumType<RoleName>('MessageRole', 'Who said it.', {
  USER: 'The member.',
  ASSISTANT: 'The assistant.',
});

const MessageStatus = enumType<StatusName>('MessageStatus', 'Whether a message is all that was to be said.', {
  COMPLETE: 'Whole.',
  INTERRUPTED: 'What was there when the turn was cancelled or superseded.',
  FAILED: 'What was there when the turn failed.',
});

@ObjectType({ description: 'A source of an answer.' })
export class Citation {
  @Field(() => Int, { description: 'The n of its [n] in the text.' })
  marker!: number;

  @Field(() => ID, { description: 'The document it is from.' })
  documentId!: string;

  @Field(() => String, { description: 'The document’s name.' })
  documentName!: string;

  @Nullable(() => Int, 'From 1; null for a document without pages.')
  page!: number | null;

  @Field(() => String, { description: 'The passage’s own words.' })
  quote!: string;

  @Field(() => Float, { description: 'How well it fits the question, 0 to 1.' })
  score!: number;
}

@ObjectType('Message', { implements: () => [Node], description: 'A question or an answer.' })
export class MessageModel extends Node {
  @Field(() => MessageRole, { description: 'Who said it.' })
  role!: RoleName;

  @Field(() => MessageStatus, { description: 'Whether it is all that was to be said.' })
  status!: StatusName;

  @Field(() => String, { complexity: TEXT_COST, description: 'What was said: the text parts, joined.' })
  text!: string;

  @Field(() => [Citation], { complexity: listCost(5), description: 'The sources of an answer, by marker.' })
  citations!: Citation[];

  @Nullable(
    () => String,
    'What whoever said it was called in the system it was imported from; null: it was said here.',
  )
  author!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether it is another member’s, of which an admin is told that it was said and nothing of what.',
  })
  hidden!: boolean;

  @Field(() => DateTime, { description: 'When it was said.' })
  createdAt!: Date;
}

@ObjectType({
  description: 'A page of messages, in the order of the conversation: each answer follows its question.',
})
export class MessageConnection extends connectionOf(MessageModel, 'Message') {}

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

@ObjectType({ description: 'A page of conversations, the most recently used first.' })
export class ConversationConnection extends connectionOf(ConversationModel, 'Conversation') {}

@ObjectType('MessageHit', { description: 'A message in which words were found.' })
export class MessageHitModel {
  @Field(() => MessageModel, { description: 'The message.' })
  message!: unknown;

  @Field(() => String, {
    complexity: TEXT_COST,
    description:
      'Where the first of the words stands, on one line, with each of them between « and »; such quotes of the message itself are ".',
  })
  excerpt!: string;

  @Field(() => Float, { description: 'The share of the words that it holds: above 0, up to 1.' })
  score!: number;

  @Field(() => Boolean, {
    description:
      'Whether it is on the path that its conversation shows; if not, selectMessage shows the path through it.',
  })
  shown!: boolean;
}

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
