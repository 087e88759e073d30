import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { connectionOf } from '../../common/schema/page.js';
import { Node, Nullable, DateTime, Json } from '../../common/schema/fields.js';

@ObjectType({ description: 'A source of a skill’s result.' })
class SkillRecordSource {
  @Field(() => String, { description: 'Who published what, and when.' })
  title!: string;

  @Nullable(() => String, 'The address. Null if unknown.')
  url!: string | null;
}

/** Content may be as large as a page of a list. */
const CONTENT_COST = 10;

@ObjectType('SkillRecord', {
  implements: () => [Node],
  description:
    'One version of a result that a skill stores for the company, such as a list of suppliers. All members see it, and it outlives its conversation.',
})
export class SkillRecordModel extends Node {
  @Field(() => String, { description: 'The kind: one of skillRecordKinds.' })
  kind!: string;

  @Field(() => String, {
    description: 'The subject within the kind, such as a year. Empty if there is only one.',
  })
  subject!: string;

  @Field(() => Int, { description: 'From 1. A correction is a new version. The last hundred are kept.' })
  version!: number;

  @Field(() => String, { description: 'One line about the result.' })
  title!: string;

  @Field(() => Json, {
    complexity: CONTENT_COST,
    description: 'The complete result. The kind’s schema describes it.',
  })
  content!: JsonObject;

  @Field(() => [SkillRecordSource], { description: 'The sources of the result.' })
  sources!: SkillRecordSource[];

  @Field(() => DateTime, { description: 'When this version was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of records, newest first.' })
export class SkillRecordConnection extends connectionOf(SkillRecordModel, 'SkillRecord') {}

@ObjectType({ description: 'A kind of result that a package of skills stores for the company.' })
export class SkillRecordKind {
  @Field(() => String, { description: 'The name, such as suppliers.' })
  kind!: string;

  @Field(() => String, { description: 'The package whose skills store it.' })
  plugin!: string;

  @Field(() => String, { description: 'What it is, and the meaning of its content.' })
  description!: string;

  @Field(() => Json, { complexity: CONTENT_COST, description: 'The JSON Schema of its content.' })
  schema!: JsonObject;
}
