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

  @ResolveField(() => [SkillModel], { description: 'The skills it may use, switched on or not.' })
  skills(@CurrentViewer() viewer: Viewer, @OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    const list = (): Promise<CompanySkill[]> => this.companySkills.list(viewer);
    const loader = loaders.of(this, () => new DataLoader<string, CompanySkill[]>(async () => [await list()]));
    return loader.load(viewer.companyId);
  }
}
