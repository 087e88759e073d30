import DataLoader from 'dataloader';
import { Args, Mutation, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { AssistantModel } from '../assistants/assistant.model.js';
import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import type { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

@Resolver(() => AssistantModel)
export class SkillResolver {
  constructor(private readonly companySkills: SkillsService) {}

  @Query(() => [SkillModel], {
    name: 'skills',
    description: 'The skills of the viewer’s company, by key, switched on or not.',
  })
  list(@CurrentViewer() viewer: Viewer): Promise<CompanySkill[]> {
    return this.companySkills.list(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description: 'Switches a skill on or off, from the next model call on. For admins; audited.',
  })
  setSkillActive(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('active', { description: 'On or off.' }) active: boolean,
  ): Promise<CompanySkill> {
    return this.companySkills.setActive(viewer, key, active);
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Has a person asked before a skill is carried out, or no longer, from the next model call on. For admins; audited.',
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
    return this.companySkills.setApproval(viewer, key, {
      required,
      askerMayApprove: askerMayApprove ?? null,
    });
  }

  @ResolveField(() => [SkillModel], { description: 'The skills it may use, switched on or not.' })
  skills(@CurrentViewer() viewer: Viewer, @OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    const list = (): Promise<CompanySkill[]> => this.companySkills.list(viewer);
    const loader = loaders.of(this, () => new DataLoader<string, CompanySkill[]>(async () => [await list()]));
    return loader.load(viewer.companyId);
  }
}
