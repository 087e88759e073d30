import { ArgsType, Field, InputType, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Node, Nullable, DateTime, ID, Json } from '../common/schema/fields.js';
import { connectionOf, ForwardPageArguments } from '../common/schema/page.js';
import type { MemoryKind as MemoryKindName, MemorySource as MemorySourceName } from './memory.entity.js';

const MemoryKind = enumType<MemoryKindName>('MemoryKind', 'What a memory is of.', {
  PREFERENCE: 'How somebody likes things to be. Told to an assistant in every turn.',
  PROJECT: 'A piece of work, recognised by its name.',
  CONTACT: 'A person or an organisation, recognised by its names.',
  FACT: 'Anything else.',
});

const MemorySource = enumType<MemorySourceName>('MemorySource', 'Who noted a memory.', {
  MEMBER: 'A person, by the API.',
  SKILL: 'An assistant that was asked to, or saw fit to, by a skill.',
  EXTRACTION: 'An assistant, out of what was said in a turn, after its end.',
});

@ObjectType('Memory', {
  implements: () => [Node],
  description:
    'One version of something remembered. It is never changed: a newer version takes its place, until both are forgotten.',
})
export class MemoryModel extends Node {
  @Field(() => MemoryKind, { description: 'What it is of.' })
  kind!: MemoryKindName;

  @Field(() => String, { description: 'What it is about: a name, a topic.' })
  subject!: string;

  @Field(() => String, { description: 'What is remembered of it, in one line.' })
  content!: string;

  @Field(() => Json, {
    description:
      'PROJECT: status, description, client. CONTACT: company, email, notes, aliases. These and any others as they were given.',
  })
  attributes!: JsonObject;

  @Field(() => MemorySource, { description: 'Who noted it.' })
  source!: MemorySourceName;

  @Nullable(
    () => ID,
    'The message it was learned from; null when a person noted it. The message may be gone.',
  )
  sourceMessageId!: string | null;

  @Field(() => DateTime, { description: 'Since when it is so, as far as is known.' })
  validFrom!: Date;

  @Nullable(() => ID, 'The version that took its place; null while it is in force.')
  supersededBy!: string | null;

  @Field(() => DateTime, { description: 'When it was noted.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of memories, newest first.' })
export class MemoryConnection extends connectionOf(MemoryModel, 'Memory') {}

@ArgsType()
export class MemoriesArguments extends ForwardPageArguments {
  @Nullable(() => MemoryKind, 'Of this kind alone. Left out: of all.')
  kind?: MemoryKindName | null;

  @Nullable(() => Boolean, 'Whether those in force, or those that were superseded. Left out: both.')
  active?: boolean | null;
}

@InputType({ description: 'Something to be remembered.' })
export class RememberInput {
  @Field(() => MemoryKind, { description: 'What it is of.' })
  kind!: MemoryKindName;

  @Field(() => String, {
    description:
      'What it is about, 1 to 200 characters. What is in force of the same kind on the same subject gives way, whatever the case and the accents.',
  })
  subject!: string;

  @Field(() => String, { description: 'What is to be remembered of it, 1 to 2,000 characters.' })
  content!: string;

  @Nullable(
    () => Json,
    'PROJECT: status, description, client. CONTACT: company, email, notes, aliases (a list). Of these two kinds, what is left out stays as it was, and null takes an attribute out. Any kind may have others: texts, numbers, true, false, lists of short texts.',
  )
  attributes?: JsonObject | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description:
      'Whether it is the whole company’s, which admins alone may say. Otherwise it is the viewer’s own.',
  })
  shared?: boolean | null;
}
