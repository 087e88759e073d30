import { Field, Float, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { Role } from '../companies/auth/viewer.js';
import { enumType, Node, Nullable, Json } from '../common/schema/fields.js';
import type { SkillKind as SkillKindName } from './skill.repository.js';
import type { SkillEffect } from './skill.js';

/** It is a page long. */
const SCHEMA_COST = 10;

export const SkillKind = enumType<SkillKindName>('SkillKind', 'What a skill is made of.', {
  FUNCTION: 'Code of this product.',
  INSTRUCTIONS: 'A SKILL.md in the Agent Skills format, which a model loads.',
  HTTP: 'A company’s own endpoint.',
  MCP: 'A tool of a Model Context Protocol server.',
});

const SkillChanges = enumType<SkillEffect['changes']>('SkillChanges', 'What a call of a skill may change.', {
  NOTHING: 'Nothing: it only tells.',
  HERE: 'What this product keeps: the profile, what is remembered, files.',
  ELSEWHERE:
    'Something in another system: an endpoint called by another method than GET, a tool whose server does not say ' +
    'that it only reads.',
});

@ObjectType('Skill', {
  implements: () => [Node],
  description: 'Something an assistant can do besides talking.',
})
export class SkillModel extends Node {
  @Field(() => String, { description: 'What the model calls it by; unique in the company.' })
  key!: string;

  @Field(() => String, { description: 'What it does and when it is used, as the model reads it.' })
  description!: string;

  @Field(() => SkillKind, { description: 'What it is made of.' })
  kind!: SkillKindName;

  @Nullable(() => String, 'The folders of a pack, the server of a tool; null for a skill without.')
  category!: string | null;

  @Field(() => Boolean, { description: 'Whether an admin has it switched on.' })
  active!: boolean;

  @Field(() => Boolean, { description: 'Whether all that it needs is there.' })
  available!: boolean;

  @Nullable(() => String, 'What is missing; null when it is available.')
  unavailableReason!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether a person must allow each call: as an admin has decided, or else where it may change something elsewhere.',
  })
  requiresApproval!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether an admin has decided about requiresApproval. What is decided also holds in turns that have read texts ' +
      'of strangers, whatever Company.foreignTextPolicy says.',
  })
  isApprovalSet!: boolean;

  @Nullable(
    () => SkillChanges,
    'What a call may change; null for instructions, and for what is not there any more.',
  )
  changes!: SkillEffect['changes'] | null;

  @Field(() => Boolean, {
    description: 'Whether whoever asked the question may allow it, and not only admins.',
  })
  askerMayApprove!: boolean;

  @Field(() => Json, {
    nullable: true,
    complexity: SCHEMA_COST,
    description: 'JSON Schema of its arguments; null for instructions.',
  })
  inputSchema!: JsonObject | null;

  @Field(() => Role, {
    description: 'Whose questions may have it used: those of members with this role or more.',
  })
  leastRole!: Role;

  @Nullable(() => [String], 'The keys of the assistants that may use it; null for all of them.')
  assistants!: string[] | null;

  @Field(() => Boolean, {
    description:
      'Whether an admin has it offered to hosts of the Model Context Protocol as a tool, for members who may use it. It is ' +
      'left out while it may change something or needs approval.',
  })
  exposed!: boolean;

  @Field(() => Boolean, { description: 'Whether the company has brought it, and not the installation.' })
  own!: boolean;

  @Nullable(
    () => Boolean,
    'Whether a call may be repeated after a crash without harm; null for instructions.',
  )
  idempotent!: boolean | null;

  @Nullable(() => Float, 'How long a call may take; null for instructions.')
  timeoutSeconds!: number | null;

  @Field(() => [String], {
    description: 'What is odd about its instructions, for their author; it works nevertheless.',
  })
  warnings!: readonly string[];
}
