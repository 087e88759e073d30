import { Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import type { Assistant } from '../companies/assistants/assistant.entity.js';
import { AssistantModel } from '../companies/assistants/assistant.model.js';
import { CurrentViewer, OperationLoaders } from '../companies/auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../companies/auth/graphql-context.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { listCost } from '../common/schema/cost.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, isFor, SkillsService } from './skills.service.js';

/** The number of skills that the cost of an operation assumes: a few dozen ship, an MCP server adds a few. */
const EXPECTED_SKILLS = 100;

const companySkills = new LoaderKey<CompanySkill[]>();

@Resolver(() => AssistantModel)
export class SkillResolver {
  constructor(private readonly companySkills: SkillsService) {}

  @Query(() => [SkillModel], {
    name: 'skills',
    complexity: listCost(EXPECTED_SKILLS),
    description: 'The skills of the viewer’s company, by key, switched on or not.',
  })
  list(@CurrentViewer() viewer: Viewer, @OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    return this.all(viewer, loaders);
  }

  @ResolveField(() => [SkillModel], {
    complexity: listCost(EXPECTED_SKILLS),
    description: 'The skills it may use, switched on or not.',
  })
  async skills(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() assistant: Assistant,
  ): Promise<CompanySkill[]> {
    const all = await this.all(viewer, loaders);
    return all.filter((skill) => isFor(skill, assistant));
  }

  /** The company's, read once an operation. */
  private all(viewer: Viewer, loaders: Loaders): Promise<CompanySkill[]> {
    const loader = loaders.of(companySkills, async () => [await this.companySkills.list(viewer)]);
    return loader.load(viewer.companyId);
  }
}
