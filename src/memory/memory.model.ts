import { ArgsType, Field, InputType, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Node, Nullable, DateTime, ID, Json } from '../common/schema/fields.js';
import { connectionOf, ForwardPageArguments } from '../common/schema/page.js';
import { MAX_CONTENT_CHARACTERS, MAX_SUBJECT_CHARACTERS } from './memory-input.js';
import type { MemoryKind as MemoryKindName, MemorySource as MemorySourceName } from './memory.entity.js';

const MemoryKind = enumType<MemoryKindName>('MemoryKind', 'The kind of a memory.', {
  PREFERENCE: 'A personal preference. Assistants get it in every turn.',
  PROJECT: 'A project, recognised by its name.',
  CONTACT: 'A person or an organisation, recognised by its names.',
  FACT: 'Anything else.',
});

const MemorySource = enumType<MemorySourceName>('MemorySource', 'Who created a memory.', {
  MEMBER: 'A person, through the API.',
  SKILL: 'An assistant, through a skill, on request or on its own.',
  EXTRACTION: 'An assistant, from the content of a turn after it ended.',
});

@ObjectType('Memory', {
  implements: () => [Node],
  description:
    'One version of a memory. It is never changed: a newer version replaces it, until both are forgotten.',
})
export class MemoryModel extends Node {
  @Field(() => MemoryKind, { description: 'The kind.' })
  kind!: MemoryKindName;

  @Field(() => String, { description: 'The subject: a name or a topic.' })
  subject!: string;

  @Field(() => String, { description: 'The remembered fact, in one line.' })
  content!: string;

  @Field(() => Json, {
    description:
      'PROJECT: status, description, client. CONTACT: company, email, notes, aliases. Like any others, as they were given.',
  })
  attributes!: JsonObject;

  @Field(() => MemorySource, { description: 'Who created it.' })
  source!: MemorySourceName;

  @Nullable(() => ID, 'The message it was learned from, which may be gone. Null if a person created it.')
  sourceMessageId!: string | null;

  @Field(() => DateTime, { description: 'Since when it has been true, as far as known.' })
  validFrom!: Date;

  @Nullable(() => ID, 'The version that replaced it. Null while it is current.')
  supersededBy!: string | null;

  @Field(() => DateTime, { description: 'When it was recorded.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of memories, newest first.' })
export class MemoryConnection extends connectionOf(MemoryModel, 'Memory') {}

@ArgsType()
export class MemoriesArguments extends ForwardPageArguments {
  @Nullable(() => MemoryKind, 'Only this kind. Default: all kinds.')
  kind?: MemoryKindName | null;

  @Nullable(() => Boolean, 'Only current memories, or only superseded ones. Default: both.')
  active?: boolean | null;
}

@InputType({ description: 'A memory to store.' })
export class RememberInput {
  @Field(() => MemoryKind, { description: 'The kind.' })
  kind!: MemoryKindName;

  @Field(() => String, {
    description: `The subject: 1 to ${MAX_SUBJECT_CHARACTERS} characters. It replaces the current memory with the same kind and subject, ignoring case and accents.`,
  })
  subject!: string;

  @Field(() => String, {
    description: `The content: 1 to ${MAX_CONTENT_CHARACTERS} characters.`,
  })
  content!: string;

  @Nullable(
    () => Json,
    'PROJECT: status, description, client. CONTACT: company, email, notes, aliases (a list). For these two kinds, omitted attributes stay as they are, and null removes an attribute. Any kind can have others: strings, numbers, booleans, and lists of short strings.',
  )
  attributes?: JsonObject | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'True: shared with the whole company; only for admins. False: the viewer’s own.',
  })
  shared?: boolean | null;
}
