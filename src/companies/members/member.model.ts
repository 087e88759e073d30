import { Field, ObjectType } from '@nestjs/graphql';

import type { Role as RoleName } from '../../auth/viewer.js';
import { connectionOf } from '../../common/schema/connection.js';
import { Node } from '../../common/schema/node.model.js';
import { DateTime } from '../../common/schema/scalars.js';
import { Role } from './viewer.model.js';

@ObjectType('Member', {
  implements: () => [Node],
  description:
    'Somebody who has come to the company, as the last token said that they came with. For admins.',
})
export class MemberModel extends Node {
  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Null when the token named none.' })
  email!: string | null;

  @Field(() => Role, {
    description: 'What they came as last; the token that they come with next decides anew.',
  })
  role!: RoleName;

  @Field(() => DateTime, { description: 'When they first came.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the members, the newest first.' })
export class MemberConnection extends connectionOf(MemberModel, 'Member') {}
