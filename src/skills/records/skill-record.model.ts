import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { connectionOf } from '../../common/schema/page.js';
import { Node, Nullable, DateTime, Json } from '../../common/schema/fields.js';

@ObjectType({ description: 'What a skill’s result rests on.' })
class SkillRecordSource {
  @Field(() => String, { description: 'Who published what, and when.' })
  title!: string;

  @Nullable(() => String, 'Where it can be read; null: nowhere that is known.')
  url!: string | null;
}

/** It may be as large as a page of a list. */
const CONTENT_COST = 10;

@ObjectType('SkillRecord', {
  implements: () => [Node],
  description:
    'A result that a skill keeps for the company, such as a carbon footprint: one version of it. All members see it, and it outlives the conversation it was made in.',
})
export class SkillRecordModel extends Node {
  @Field(() => String, { description: 'What it is: one of skillRecordKinds.' })
  kind!: string;

  @Field(() => String, {
    description: 'What of the kind it is about, such as a year; empty where there is but one.',
  })
  subject!: string;

  @Field(() => Int, { description: 'From 1. A correction is a new version; the last hundred are kept.' })
  version!: number;

  @Field(() => String, { description: 'What it says, in one line.' })
  title!: string;

  @Field(() => Json, {
    complexity: CONTENT_COST,
    description: 'The whole of it: what stands where, the kind’s schema says.',
  })
  content!: JsonObject;

  @Field(() => [SkillRecordSource], { description: 'What it rests on.' })
  sources!: SkillRecordSource[];

  @Field(() => DateTime, { description: 'When this version was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of records, newest first.' })
export class SkillRecordConnection extends connectionOf(SkillRecordModel, 'SkillRecord') {}

@ObjectType({ description: 'A kind of results that a package of skills keeps for the company.' })
export class SkillRecordKind {
  @Field(() => String, { description: 'Its name, such as footprint.' })
  kind!: string;

  @Field(() => String, { description: 'The package whose skills keep it.' })
  plugin!: string;

  @Field(() => String, { description: 'What it is, and what stands where in its content.' })
  description!: string;

  @Field(() => Json, { complexity: CONTENT_COST, description: 'JSON Schema of its content.' })
  schema!: JsonObject;
}
