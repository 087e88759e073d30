import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

/** Admins' decisions on any skill. */
@Resolver()
export class SkillSwitchesResolver {
  constructor(private readonly skills: SkillsService) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description: 'Switches a skill on or off, from the next model call on. Admins only. Audited.',
  })
  setSkillActive(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of a skill.' }) key: string,
    @Args('active', { description: 'On or off.' }) active: boolean,
  ): Promise<CompanySkill> {
    return this.skills.setActive(viewer, key, active);
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Requires approval for each call of a skill, or for none, from the next model call on, whatever the turn has read. Not for instructions, which are only read. Admins only. Audited.',
  })
  setSkillApproval(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of a skill.' }) key: string,
    @Args('required', { description: 'Whether approval is required.' }) required: boolean,
    @Args('askerMayApprove', {
      type: () => Boolean,
      nullable: true,
      description: 'Whether the asker may approve, and not only admins. If omitted, it stays as it is.',
    })
    askerMayApprove: boolean | null,
  ): Promise<CompanySkill> {
    return this.skills.setApproval(viewer, key, {
      required,
      askerMayApprove: askerMayApprove ?? null,
    });
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Offers a skill as a tool to hosts of the Model Context Protocol, or stops that. The skill must change nothing and need no approval, as nobody can be asked outside of a turn. Admins only. Audited.',
  })
  setSkillExposed(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The key of a skill.' }) key: string,
    @Args('exposed', { description: 'Whether it is offered.' }) exposed: boolean,
  ): Promise<CompanySkill> {
    return this.skills.setExposed(viewer, key, exposed);
  }
}
