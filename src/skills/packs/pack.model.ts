import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

import type { JsonObject } from '../../common/json.js';
import { DateTime, Json } from '../../common/schema/scalars.js';

@InputType({ description: 'An archive with one pack or several, each with its SKILL.md.' })
export class CreateSkillUploadInput {
  @Field(() => String, { description: 'Its file name, which ends in .zip or .skill.' })
  name!: string;

  @Field(() => Int, { description: 'Its size.' })
  bytes!: number;
}

@ObjectType({
  description:
    'Where to send an archive of packs: once, by the method and with the headers given, as the body. The answer is JSON: `skills` with the keys that were taken in, and `refused` with what was not, and why.',
})
export class SkillUpload {
  @Field(() => String, { description: 'The address; it is the right to send, so keep it to yourself.' })
  url!: string;

  @Field(() => String, { description: 'PUT.' })
  method!: string;

  @Field(() => Json, { description: 'A JSON object of names and values.' })
  headers!: JsonObject;

  @Field(() => DateTime, { description: 'Until when.' })
  expiresAt!: Date;
}

@ObjectType('RefusedPack', { description: 'A folder with a SKILL.md that cannot be used.' })
export class RefusedPackModel {
  @Field(() => String, { description: 'Where it is, in its folder of packs; empty: all of that.' })
  path!: string;

  @Field(() => String, { description: 'What its author can mend.' })
  reason!: string;
}
