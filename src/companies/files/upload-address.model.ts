import { Field, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { DateTime, Json } from '../../common/schema/fields.js';

/** The address for sending bytes, shared by all types of uploads. */
@ObjectType({ isAbstract: true })
export abstract class UploadAddress {
  @Field(() => String, { description: 'The address. It grants the right to upload, so keep it secret.' })
  url!: string;

  @Field(() => String, { description: 'PUT.' })
  method!: string;

  @Field(() => Json, { description: 'A JSON object of header names and values.' })
  headers!: JsonObject;

  @Field(() => DateTime, { description: 'The latest time to start the upload.' })
  expiresAt!: Date;
}
