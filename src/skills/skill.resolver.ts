import { Args, Parent, Query, ResolveField, Resolver, ObjectType } from '@nestjs/graphql';

import type { Assistant } from '../companies/assistants/assistant.repository.js';
import { AssistantModel } from '../companies/assistants/assistant.model.js';
import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import { type Connection, toConnection, ForwardPageArguments, connectionOf } from '../common/schema/page.js';
import { listCost } from '../common/schema/cost.js';
import { inOrderOfKeys, pageOfAll } from '../platform/database/keyset.js';
import { MAX_LISTED, SkillModel } from './skill.model.js';
import { isForAssistant } from './skill.js';
import { type CompanySkill, SkillsService } from './skills.service.js';

/** The number of skills that the cost of an operation assumes: a few dozen ship, an MCP server adds a few. */
const EXPECTED_SKILLS = 100;

@ObjectType({ description: 'A page of skills, ordered by key.' })
class SkillConnection extends connectionOf(SkillModel, 'Skill') {}

@Resolver(() => AssistantModel)
export class SkillResolver {
  constructor(private readonly companySkills: SkillsService) {}

  @Query(() => SkillConnection, {
    description: 'The skills of the viewer’s company, ordered by key, switched on or not.',
  })
  async skillsConnection(
    @OperationLoaders() loaders: Loaders,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<CompanySkill>> {
    return toConnection(pageOfAll(await this.all(loaders), inOrderOfKeys('skills'), page));
  }

  @Query(() => [SkillModel], {
    name: 'skills',
    complexity: listCost(EXPECTED_SKILLS),
    deprecationReason: 'Use skillsConnection.',
    description: `The first ${MAX_LISTED} skills of the viewer’s company, ordered by key, switched on or not.`,
  })
  async list(@OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    return (await this.all(loaders)).slice(0, MAX_LISTED);
  }

  @ResolveField(() => [SkillModel], {
    complexity: listCost(EXPECTED_SKILLS),
    description: 'The skills it may use, switched on or not.',
  })
  async skills(
    @OperationLoaders() loaders: Loaders,
    @Parent() assistant: Assistant,
  ): Promise<CompanySkill[]> {
    const all = await this.all(loaders);
    return all.filter((skill) => isForAssistant(skill, assistant));
  }

  /** The company's skills, read once an operation. */
  private all(loaders: Loaders): Promise<CompanySkill[]> {
    const { viewer } = loaders;
    const loader = loaders.of(this.companySkills, async () => [await this.companySkills.list(viewer)]);
    return loader.load(viewer.companyId);
  }
}
