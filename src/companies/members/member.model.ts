import { Field, ObjectType } from '@nestjs/graphql';

import { Node, Nullable, ID, DateTime } from '../../common/schema/fields.js';
import { connectionOf } from '../../common/schema/page.js';
import { ApiKeyScope, Role } from '../auth/viewer.js';

@ObjectType('Viewer', { description: 'Who is asking, as their token says.' })
export class ViewerModel {
  @Field(() => ID, { description: 'The member’s id, by which admins find the Member.' })
  id!: string;

  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Nullable(() => String, 'Null when the token names none.')
  email!: string | null;

  @Field(() => Role, { description: 'In this company.' })
  role!: Role;

  @Nullable(
    () => [ApiKeyScope],
    'What the API key may be used for, within the role; null: a person, whose role alone decides.',
  )
  scopes!: readonly ApiKeyScope[] | null;
}

@ObjectType('Member', {
  implements: () => [Node],
  description:
    'Somebody who has come to the company, as the last token said that they came with. For admins.',
})
export class MemberModel extends Node {
  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Nullable(() => String, 'Null when the token named none.')
  email!: string | null;

  @Field(() => Role, {
    description: 'What they came as last; the token that they come with next decides anew.',
  })
  role!: Role;

  @Nullable(() => DateTime, 'Since when an admin lets nobody in as this member; null: they may come.')
  deactivatedAt!: Date | null;

  @Field(() => DateTime, { description: 'When they first came.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the members, the newest first.' })
export class MemberConnection extends connectionOf(MemberModel, 'Member') {}
