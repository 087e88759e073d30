import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from '../companies/auth/viewer-decorators.js';
import { Role, type Viewer } from '../companies/auth/viewer.js';
import { SkillAccess } from './skill-access.service.js';
import { SkillModel } from './skill.model.js';
import type { CompanySkill } from './skills.service.js';

@Resolver()
export class SkillAccessResolver {
  constructor(private readonly access: SkillAccess) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Sets who can use a skill and in which assistants, from the next model call on. Admins only. Audited.',
  })
  setSkillAccess(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of a skill.' }) key: string,
    @Args('leastRole', { type: () => Role, description: 'The minimum role of the member who asks.' })
    leastRole: Role,
    @Args('assistants', {
      type: () => [String],
      nullable: true,
      description: 'The keys of the assistants that may use it. Null: the skill’s own default, or all.',
    })
    assistants: string[] | null,
  ): Promise<CompanySkill> {
    return this.access.set(viewer, key, { leastRole, assistants: assistants ?? null });
  }
}
