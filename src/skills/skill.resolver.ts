import DataLoader from 'dataloader';
import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import type { Assistant } from '../assistants/assistant.entity.js';
import { AssistantModel } from '../assistants/assistant.model.js';
import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Role as RoleName, Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import { listCost } from '../common/schema/cost.js';
import { DomainError } from '../common/errors/domain-error.js';
import { Role } from '../companies/members/viewer.model.js';
import { SkillAccess } from './skill-access.service.js';
import { SkillModel } from './skill.model.js';
import { type CompanySkill, isFor, SkillsService } from './skills.service.js';

/** What the cost of an operation counts on: a few dozen ship, and a server of tools brings a few more. */
const USUAL_SKILLS = 100;

/** A company may have 5,000 of them, which five assistants show once each. */
const MOST_SHOWN = 30_000;

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
  async list(@CurrentViewer() viewer: Viewer, @OperationLoaders() loaders: Loaders): Promise<CompanySkill[]> {
    return this.shown(loaders, await this.all(viewer, loaders));
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
      'Has a person asked before a skill is carried out, or no longer, from the next model call on. Not for ' +
      'instructions, which are only read. For admins; audited.',
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
    return this.shown(
      loaders,
      all.filter((skill) => isFor(skill, assistant.key)),
    );
  }

  /** The company's, read once an operation. */
  private all(viewer: Viewer, loaders: Loaders): Promise<CompanySkill[]> {
    const list = (): Promise<CompanySkill[]> => this.companySkills.list(viewer);
    const loader = loaders.of(companySkills, () => new DataLoader(async () => [await list()]));
    return loader.load(viewer.companyId);
  }

  private shown(loaders: Loaders, skills: CompanySkill[]): CompanySkill[] {
    if (loaders.tally(this, skills.length) <= MOST_SHOWN) return skills;
    throw new DomainError(
      'BAD_USER_INPUT',
      `An answer shows at most ${MOST_SHOWN} skills. Ask for those of one assistant at a time.`,
      { limit: MOST_SHOWN },
    );
  }
}
