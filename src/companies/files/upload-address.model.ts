import { Field, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { DateTime, Json } from '../../common/schema/fields.js';

/** Where to send bytes, as all types of uploads say it. */
@ObjectType({ isAbstract: true })
export abstract class UploadAddress {
  @Field(() => String, { description: 'The address; it is the right to send, so keep it to yourself.' })
  url!: string;

  @Field(() => String, { description: 'PUT.' })
  method!: string;

  @Field(() => Json, { description: 'A JSON object of names and values.' })
  headers!: JsonObject;

  @Field(() => DateTime, { description: 'Until when the sending may begin.' })
  expiresAt!: Date;
}
