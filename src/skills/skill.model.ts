import { Field, Float, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { Role } from '../companies/auth/viewer.js';
import { enumType, Node, Nullable, Json } from '../common/schema/fields.js';
import type { SkillKind as SkillKindName } from './skill.repository.js';
import type { SkillEffect } from './skill.js';

/** A schema may be a page long. */
const SCHEMA_COST = 10;

/** A longer list is read in pages. */
export const MAX_LISTED = 1_000;

export const SkillKind = enumType<SkillKindName>('SkillKind', 'What a skill is made of.', {
  FUNCTION: 'Code of this product, or of a package that the operator has installed.',
  INSTRUCTIONS: 'A SKILL.md in the Agent Skills format, which the model loads.',
  HTTP: 'An endpoint of the company.',
  MCP: 'A tool of a Model Context Protocol server.',
});

const SkillChanges = enumType<SkillEffect['changes']>('SkillChanges', 'What a call of a skill can change.', {
  NOTHING: 'Nothing: it only reads.',
  HERE: 'Data in this product: the profile, memories, files.',
  ELSEWHERE:
    'Another system: an endpoint that is not called with GET, or a tool whose server does not declare it read-only.',
});

@ObjectType('Skill', {
  implements: () => [Node],
  description: 'Something an assistant can do besides talking.',
})
export class SkillModel extends Node {
  @Field(() => String, { description: 'The skill’s name for the model. Unique in the company.' })
  key!: string;

  @Field(() => SkillKind, { description: 'What it is made of.' })
  kind!: SkillKindName;

  @Nullable(
    () => String,
    'The folders of a pack, the server of a tool, or the category given to an HTTP skill. Null if there is none.',
  )
  category!: string | null;

  @Field(() => Boolean, { description: 'Whether an admin has switched it on.' })
  active!: boolean;

  @Field(() => Boolean, { description: 'Whether all that it needs is there.' })
  available!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether a person must approve each call: as an admin decided, or by default if it can change another system.',
  })
  requiresApproval!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether an admin has decided about requiresApproval. That decision also applies to turns that have read untrusted text, whatever Company.foreignTextPolicy says.',
  })
  isApprovalSet!: boolean;

  @Nullable(
    () => SkillChanges,
    'What a call can change. Null for instructions, and if the skill no longer exists.',
  )
  changes!: SkillEffect['changes'] | null;

  @Field(() => Boolean, {
    description: 'Whether the asker may approve, and not only admins.',
  })
  askerMayApprove!: boolean;

  @Field(() => Json, {
    nullable: true,
    complexity: SCHEMA_COST,
    description: 'The JSON Schema of its arguments. Null for instructions.',
  })
  inputSchema!: JsonObject | null;

  @Field(() => Role, {
    description: 'The minimum role of the member who asks.',
  })
  leastRole!: Role;

  @Nullable(() => [String], 'The keys of the assistants that may use it. Null: all of them.')
  assistants!: string[] | null;

  @Field(() => Boolean, {
    description:
      'Whether an admin offers it as a tool to hosts of the Model Context Protocol, for members who may use it. It is not offered while it can change something or needs approval.',
  })
  exposed!: boolean;

  @Field(() => Boolean, {
    description: 'Whether it belongs to the company, rather than to the installation.',
  })
  own!: boolean;

  @Nullable(() => Boolean, 'Whether a call can safely be repeated after a crash. Null for instructions.')
  idempotent!: boolean | null;

  @Nullable(() => Float, 'The seconds a call may take. Null for instructions.')
  timeoutSeconds!: number | null;
}
