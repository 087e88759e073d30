import { Field, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../common/schema/connection.js';
import type { JsonObject } from '../../common/json.js';
import { Node } from '../../common/schema/node.model.js';
import { DateTime, ID, Json } from '../../common/schema/scalars.js';

@ObjectType('AuditEntry', {
  implements: () => [Node],
  description: 'A change that somebody made: who, what and when. It stays as it is.',
})
export class AuditEntryModel extends Node {
  @Field(() => ID, {
    description: 'The member who did it; all zeros for one who is gone, and for what a connected server did.',
  })
  memberId!: string;

  @Field(() => String, { description: 'What was done, as noun.verb: skill.activated.' })
  action!: string;

  @Field(() => String, { description: 'What it was done to, such as a skill’s key.' })
  subject!: string;

  @Field(() => Json, {
    description: 'What it was changed to, and in `before`, where it is kept, from what; never a secret.',
  })
  details!: JsonObject;

  @Field(() => DateTime, { description: 'When it was done.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the audit, newest first.' })
export class AuditEntryConnection extends connectionOf(AuditEntryModel, 'AuditEntry') {}
