import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

/** What admins decide of any skill. */
@Resolver()
export class SkillSwitchesResolver {
  constructor(private readonly skills: SkillsService) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description: 'Switches a skill on or off, from the next model call on. For admins; audited.',
  })
  setSkillActive(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('active', { description: 'On or off.' }) active: boolean,
  ): Promise<CompanySkill> {
    return this.skills.setActive(viewer, key, active);
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Has a person asked before each call of a skill, or before none, from the next model call on, whatever the turn ' +
      'has read. Not for instructions, which are only read. For admins; audited.',
  })
  setSkillApproval(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('required', { description: 'Whether a person is asked.' }) required: boolean,
    @Args('askerMayApprove', {
      type: () => Boolean,
      nullable: true,
      description: 'Whether whoever asked the question may answer, and not only admins; left out: as it was.',
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
      'Offers a skill to hosts of the Model Context Protocol as a tool, or no more: one that changes nothing and needs no ' +
      'approval, as nobody could be asked outside of a turn. For admins; audited.',
  })
  setSkillExposed(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('exposed', { description: 'Whether it is offered.' }) exposed: boolean,
  ): Promise<CompanySkill> {
    return this.skills.setExposed(viewer, key, exposed);
  }
}
