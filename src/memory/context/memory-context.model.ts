import { ArgsType, Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Nullable, ID } from '../../common/schema/fields.js';
import type { Message } from '../../conversations/message.repository.js';
import type { Memory } from '../memory.entity.js';
import { MemoryModel } from '../memory.model.js';
import type { ContextSection as SectionName } from './memory-context.js';
import { MessageModel } from '../../conversations/message.model.js';

const ContextSection = enumType<SectionName>(
  'ContextSection',
  'Why something is told, in the order of the text.',
  {
    PREFERENCE: 'A preference: told whatever is asked.',
    PROJECT: 'The project that the message names, or that is pinned to the conversation.',
    CONTACT: 'A contact that the message names, of whom there are three at most.',
    FACT: 'A memory of any kind that bears on the message, or one of the newest.',
    CONVERSATION: 'A dated excerpt of earlier messages that bears on it.',
  },
);

@ObjectType({ description: 'Something that is told of what is remembered.' })
class MemoryContextItem {
  @Field(() => ContextSection, { description: 'Why it is told.' })
  section!: SectionName;

  @Nullable(() => MemoryModel, 'What is remembered; null for an excerpt.')
  memory!: Memory | null;

  @Field(() => [MessageModel], { description: 'Of an excerpt, in the order in which they were said.' })
  messages!: Message[];

  @Field(() => String, { description: 'As it stands in the context.' })
  text!: string;

  @Field(() => Int, { description: 'What it takes of the budget.' })
  tokens!: number;

  @Field(() => Float, {
    description:
      'How much it bears on the message, 0 to 1: 1 for what it names; of excerpts, compared with the best of them.',
  })
  score!: number;
}

@ObjectType('MemoryContext', { description: 'What a turn is told of what is remembered.' })
export class MemoryContextModel {
  @Field(() => String, {
    description: 'Exactly what stands before the question; empty when there is nothing to tell.',
  })
  text!: string;

  @Field(() => Int, { description: 'Of the whole text.' })
  tokens!: number;

  @Field(() => Int, { description: 'The most tokens that it may have.' })
  budget!: number;

  @Field(() => [MemoryContextItem], { description: 'In the order of the text.' })
  items!: MemoryContextItem[];

  @Field(() => Int, {
    description: 'How many memories and messages would have been told if there had been room.',
  })
  omitted!: number;

  @Field(() => Boolean, { description: 'Whether it was there from before, and nothing has changed since.' })
  cached!: boolean;
}

@ArgsType()
export class MemoryContextArguments {
  @Field(() => String, { description: 'What would be asked, 1 to 100,000 characters.' })
  message!: string;

  @Nullable(() => ID, 'One of the viewer’s own conversations. Left out: one that is yet to begin.')
  conversationId?: string | null;

  @Nullable(
    () => String,
    'Whom it would be asked. Left out, without a conversation: the first by key that recalls conversations, or the first of all.',
  )
  assistantKey?: string | null;
}
