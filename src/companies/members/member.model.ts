import { Field, ObjectType } from '@nestjs/graphql';

import { enumType, Node, Nullable, ID, DateTime } from '../../common/schema/fields.js';
import { connectionOf } from '../../common/schema/page.js';
import type { ApiKeyScope as ScopeName, Role as ViewerRole, Role as RoleName } from '../auth/viewer.js';

export const ApiKeyScope = enumType<ScopeName>(
  'ApiKeyScope',
  'What an API key may be used for, within its role. None includes another one; what a scope changes, it also reads.',
  {
    READ: 'Everything that queries and subscriptions show.',
    TURNS: 'Turns, conversations, memories and approvals, but for deleting any of them.',
    DOCUMENTS: 'Uploading, following and searching documents.',
    SKILLS: 'Bringing and setting skills and MCP servers; the role has to be ADMIN.',
    ADMIN:
      'Deleting, removing and erasing of any kind; and with the role ADMIN what concerns the whole company: its ' +
      'members, keys, prompts, quotas, webhooks and profile.',
    SPEAK_FOR_OTHERS:
      'Asking for other members of the company, whom a program names that people use through it, in protocols beside ' +
      'GraphQL; within the key’s own role and other scopes.',
  },
);

export const Role = enumType<ViewerRole>('Role', 'What somebody may do in their company.', {
  MEMBER: 'Talks to assistants and sees their own conversations.',
  ADMIN: 'Also switches skills, edits the company and its prompts, reads the audit.',
  OPERATOR: 'Runs the installation; may do in the company what an admin may.',
});

@ObjectType('Viewer', { description: 'Who is asking, as their token says.' })
export class ViewerModel {
  @Field(() => ID, { description: 'The member’s id, by which admins find the Member.' })
  id!: string;

  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Nullable(() => String, 'Null when the token names none.')
  email!: string | null;

  @Field(() => Role, { description: 'In this company.' })
  role!: ViewerRole;

  @Nullable(
    () => [ApiKeyScope],
    'What the API key may be used for, within the role; null: a person, whose role alone decides.',
  )
  scopes!: readonly ScopeName[] | null;
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
  role!: RoleName;

  @Nullable(() => DateTime, 'Since when an admin lets nobody in as this member; null: they may come.')
  deactivatedAt!: Date | null;

  @Field(() => DateTime, { description: 'When they first came.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the members, the newest first.' })
export class MemberConnection extends connectionOf(MemberModel, 'Member') {}
