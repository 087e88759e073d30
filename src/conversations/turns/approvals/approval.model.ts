import { Field, InputType, ObjectType } from '@nestjs/graphql';

import type { JsonObject } from '../../../common/json.js';
import { Node } from '../../../common/schema/node.model.js';
import { DateTime, ID, Json } from '../../../common/schema/scalars.js';
import { PendingStatus } from '../turn-enums.js';
import type { PendingStatus as PendingStatusName } from '../turn-event.js';

@ObjectType('Approval', {
  implements: () => [Node],
  description: 'A question to a person before a skill is carried out.',
})
export class ApprovalModel extends Node {
  @Field(() => ID, { description: 'The turn that waits.' })
  turnId!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, { description: 'What it would be called with.' })
  arguments!: JsonObject;

  @Field(() => String, { nullable: true, description: 'Why the model wants it; null when it did not say.' })
  reason!: string | null;

  @Field(() => PendingStatus, { description: 'How the question stands.' })
  status!: PendingStatusName;

  @Field(() => DateTime, { description: 'From then on it counts as not allowed.' })
  expiresAt!: Date;
}

@InputType({ description: 'An answer to a question.' })
export class ResolveApprovalInput {
  @Field(() => ID, { description: 'An approval’s id.' })
  approvalId!: string;

  @Field(() => Boolean, { description: 'True: the skill is carried out. False: it is not.' })
  approve!: boolean;

  @Field(() => Json, {
    nullable: true,
    description:
      'Instead of the arguments that the model wrote: a JSON object that fits the skill’s schema. CONFLICT when it was allowed with others.',
  })
  arguments?: JsonObject | null;

  @Field(() => String, {
    nullable: true,
    description: 'For the model, why it was answered so: at most 1000 characters.',
  })
  comment?: string | null;
}
