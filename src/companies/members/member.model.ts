import { Field, ObjectType } from '@nestjs/graphql';

import { Node, Nullable, ID, DateTime } from '../../common/schema/fields.js';
import { connectionOf } from '../../common/schema/page.js';
import { ApiKeyScope, Role } from '../auth/viewer.js';

@ObjectType('Viewer', { description: 'The caller, as described by the token.' })
export class ViewerModel {
  @Field(() => ID, { description: 'The member’s id. Admins find the Member by it.' })
  id!: string;

  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Nullable(() => String, 'Null if the token has none.')
  email!: string | null;

  @Field(() => Role, { description: 'In this company.' })
  role!: Role;

  @Nullable(
    () => [ApiKeyScope],
    'What the API key may be used for, within its role. Null for people, who are limited only by their role.',
  )
  scopes!: readonly ApiKeyScope[] | null;
}

@ObjectType('Member', {
  implements: () => [Node],
  description:
    'A person who has signed in to the company, as described by their last token, or the program of an API key. Admins only.',
})
export class MemberModel extends Node {
  @Field(() => String, { description: 'The name of the person or program.' })
  name!: string;

  @Nullable(() => String, 'Null if the last token had none.')
  email!: string | null;

  @Field(() => Role, {
    description: 'The role in the last token. The next token can change it.',
  })
  role!: Role;

  @Nullable(() => DateTime, 'When an admin blocked this member’s access. Null if the member is not blocked.')
  deactivatedAt!: Date | null;

  @Field(() => DateTime, { description: 'When the member first signed in, or the API key was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of members, newest first.' })
export class MemberConnection extends connectionOf(MemberModel, 'Member') {}
