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
      'Says whose questions may have a skill used, and by which assistants, from the next model call on. For admins; audited.',
  })
  setSkillAccess(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('leastRole', { type: () => Role, description: 'Those of members with this role or more.' })
    leastRole: Role,
    @Args('assistants', {
      type: () => [String],
      nullable: true,
      description:
        'The keys of the assistants that may use it, of those that there are; null: as the skill itself says, or all.',
    })
    assistants: string[] | null,
  ): Promise<CompanySkill> {
    return this.access.set(viewer, key, { leastRole, assistants: assistants ?? null });
  }
}
