import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';

import type { Role as ViewerRole } from '../../auth/viewer.js';
import { ID } from '../../common/schema/scalars.js';

export const Role = { MEMBER: 'MEMBER', ADMIN: 'ADMIN', OPERATOR: 'OPERATOR' } as const satisfies Record<
  ViewerRole,
  ViewerRole
>;

registerEnumType(Role, {
  name: 'Role',
  description: 'What somebody may do in their company.',
  valuesMap: {
    MEMBER: { description: 'Talks to assistants and sees their own conversations.' },
    ADMIN: { description: 'Also switches skills, edits the company and its prompts, reads the audit.' },
    OPERATOR: { description: 'Runs the installation; may do in the company what an admin may.' },
  },
});

@ObjectType('Viewer', { description: 'Who is asking, as their token says.' })
export class ViewerModel {
  @Field(() => ID, { description: 'The member’s id, by which admins find the Member.' })
  id!: string;

  @Field(() => String, { description: 'The person’s name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Null when the token names none.' })
  email!: string | null;

  @Field(() => Role, { description: 'In this company.' })
  role!: ViewerRole;
}
