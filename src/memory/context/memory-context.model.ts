import { ArgsType, Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Nullable, ID } from '../../common/schema/fields.js';
import type { Message } from '../../conversations/message.repository.js';
import type { Memory } from '../memory.entity.js';
import { MemoryModel } from '../memory.model.js';
import type { ContextSection as SectionName } from './memory-context.js';
import { MessageModel } from '../../conversations/message.model.js';

const ContextSection = enumType<SectionName>(
  'ContextSection',
  'Why an item is included, in the order of the text.',
  {
    PREFERENCE: 'A preference, which is always included.',
    PROJECT: 'The project that the message names, or that is pinned to the conversation.',
    CONTACT: 'A contact that the message names, at most three.',
    FACT: 'A memory of any kind that is relevant to the message, or one of the newest.',
    CONVERSATION: 'A dated excerpt of earlier messages that is relevant to it.',
  },
);

@ObjectType({ description: 'One remembered item in the context.' })
class MemoryContextItem {
  @Field(() => ContextSection, { description: 'Why it is included.' })
  section!: SectionName;

  @Nullable(() => MemoryModel, 'The memory. Null for an excerpt.')
  memory!: Memory | null;

  @Field(() => [MessageModel], { description: 'The messages of an excerpt, oldest first.' })
  messages!: Message[];

  @Field(() => String, { description: 'As it stands in the context.' })
  text!: string;

  @Field(() => Int, { description: 'The number of tokens.' })
  tokens!: number;

  @Field(() => Float, {
    description:
      'The relevance to the message, 0 to 1: 1 if the message names it, and for excerpts relative to the best one.',
  })
  score!: number;
}

@ObjectType('MemoryContext', { description: 'The remembered information that a turn receives.' })
export class MemoryContextModel {
  @Field(() => String, {
    description: 'The exact text before the question. Empty if there is none.',
  })
  text!: string;

  @Field(() => Int, { description: 'The tokens of the whole text.' })
  tokens!: number;

  @Field(() => Int, { description: 'The token limit of the text.' })
  budget!: number;

  @Field(() => [MemoryContextItem], { description: 'In the order of the text.' })
  items!: MemoryContextItem[];

  @Field(() => Int, {
    description: 'The number of memories and messages that were left out for lack of space.',
  })
  omitted!: number;

  @Field(() => Boolean, { description: 'Whether this comes from the cache and nothing has changed since.' })
  cached!: boolean;
}

@ArgsType()
export class MemoryContextArguments {
  @Field(() => String, { description: 'The question: 1 to 100,000 characters.' })
  message!: string;

  @Nullable(() => ID, 'One of the viewer’s conversations. If omitted, a new one.')
  conversationId?: string | null;

  @Nullable(
    () => String,
    'The assistant. If both this and conversationId are omitted: the first by key that recalls conversations, or else the first by key.',
  )
  assistantKey?: string | null;
}
