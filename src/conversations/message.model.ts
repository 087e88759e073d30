import { Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Node, Nullable, DateTime, ID } from '../common/schema/fields.js';
import { connectionOf } from '../common/schema/page.js';
import { listCost } from '../common/schema/cost.js';
import type { MessageRole as RoleName, MessageStatus as StatusName } from './message.repository.js';

/** A text's length is unknown when the cost is computed. */
export const TEXT_COST = 20;

export const MessageRole = enumType<RoleName>('MessageRole', 'Who wrote a message.', {
  USER: 'The member.',
  ASSISTANT: 'The assistant.',
});

const MessageStatus = enumType<StatusName>('MessageStatus', 'Whether a message is complete.', {
  COMPLETE: 'Complete.',
  INTERRUPTED: 'Partial: the turn was cancelled or superseded.',
  FAILED: 'Partial: the turn failed.',
});

@ObjectType({ description: 'A source of an answer.' })
export class Citation {
  @Field(() => Int, { description: 'The number n of its [n] in the text.' })
  marker!: number;

  @Field(() => ID, { description: 'The cited document.' })
  documentId!: string;

  @Field(() => String, { description: 'The name of the document.' })
  documentName!: string;

  @Nullable(() => Int, 'From 1. Null if the document has no pages.')
  page!: number | null;

  @Field(() => String, { description: 'The cited passage, verbatim.' })
  quote!: string;

  @Field(() => Float, { description: 'The relevance to the question, 0 to 1.' })
  score!: number;
}

@ObjectType('Message', { implements: () => [Node], description: 'A question or an answer.' })
export class MessageModel extends Node {
  @Field(() => MessageRole, { description: 'Who wrote a message.' })
  role!: RoleName;

  @Field(() => MessageStatus, { description: 'Whether the message is complete.' })
  status!: StatusName;

  @Field(() => String, { complexity: TEXT_COST, description: 'The text parts, joined.' })
  text!: string;

  @Field(() => [Citation], {
    complexity: listCost(5),
    description: 'The sources of an answer, ordered by marker.',
  })
  citations!: Citation[];

  @Nullable(
    () => String,
    'The writer’s name in the system it was imported from. Null if it was written here.',
  )
  author!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether it belongs to another member. Admins then see that the message exists, but not its content.',
  })
  hidden!: boolean;

  @Field(() => DateTime, { description: 'When it was written.' })
  createdAt!: Date;
}

@ObjectType({
  description: 'A page of messages, in conversation order: each answer follows its question.',
})
export class MessageConnection extends connectionOf(MessageModel, 'Message') {}

@ObjectType('MessageHit', { description: 'A message that matches a search.' })
export class MessageHitModel {
  @Field(() => MessageModel, { description: 'The message.' })
  message!: unknown;

  @Field(() => String, {
    complexity: TEXT_COST,
    description:
      'The text around the first match, on one line. Matches stand between « and »; such quotes in the message itself become ".',
  })
  excerpt!: string;

  @Field(() => Float, { description: 'The share of the words that it contains: above 0, up to 1.' })
  score!: number;

  @Field(() => Boolean, {
    description:
      'Whether it is on the shown path of its conversation. If not, selectMessage shows the path through it.',
  })
  shown!: boolean;
}
