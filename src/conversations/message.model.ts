import { Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Node, Nullable, DateTime, ID } from '../common/schema/fields.js';
import { connectionOf } from '../common/schema/page.js';
import { listCost } from '../common/schema/cost.js';
import type { MessageRole as RoleName, MessageStatus as StatusName } from './message.repository.js';

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
