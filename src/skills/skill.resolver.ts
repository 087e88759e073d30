import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import type { Assistant } from '../companies/assistants/assistant.entity.js';
import { AssistantModel } from '../companies/assistants/assistant.model.js';
import { CurrentViewer, OperationLoaders } from '../companies/auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../companies/auth/graphql-context.js';
import type { Role as RoleName, Viewer } from '../companies/auth/viewer.js';
import { AtLeast } from '../companies/auth/viewer.guard.js';
import { listCost } from '../common/schema/cost.js';
import { Role } from '../companies/members/member.model.js';
import { SkillAccess } from './skill-access.service.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, isFor, SkillsService } from './skills.service.js';

/** The number of skills that the cost of an operation assumes: a few dozen ship, an MCP server adds a few. */
const USUAL_SKILLS = 100;

const companySkills = new LoaderKey<CompanySkill[]>();

@Resolver(() => AssistantModel)
export class SkillResolver {
  constructor(
    private readonly companySkills: SkillsService,
    private readonly access: SkillAccess,
  ) {}

  @Query(() => [SkillModel], {
    name: 'skills',
    complexity: listCost(USUAL_SKILLS),
    description: 'The skills of the viewer’s company, by key, switched on or not.',
  })
  list(@CurrentViewer() viewer: Viewer, @OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    return this.all(viewer, loaders);
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
    return this.companySkills.setApproval(viewer, key, {
      required,
      askerMayApprove: askerMayApprove ?? null,
    });
  }

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description:
      'Says whose questions may have a skill used, and by which assistants, from the next model call on. For admins; audited.',
  })
  setSkillAccess(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'A skill’s key.' }) key: string,
    @Args('leastRole', { type: () => Role, description: 'Those of members with this role or more.' })
    leastRole: RoleName,
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

  @ResolveField(() => [SkillModel], {
    complexity: listCost(USUAL_SKILLS),
    description: 'The skills it may use, switched on or not.',
  })
  async skills(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() assistant: Assistant,
  ): Promise<CompanySkill[]> {
    const all = await this.all(viewer, loaders);
    return all.filter((skill) => isFor(skill, assistant.key));
  }

  /** The company's, read once an operation. */
  private all(viewer: Viewer, loaders: Loaders): Promise<CompanySkill[]> {
    const loader = loaders.of(companySkills, async () => [await this.companySkills.list(viewer)]);
    return loader.load(viewer.companyId);
  }
}
