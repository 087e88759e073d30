import { Args, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { JsonValue } from '@palabre/json';

import { AtLeast, CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { ID, Json } from '../../common/schema/fields.js';
import { SkillModel } from '../skill.model.js';
import { type CompanySkill, SkillsService } from '../skills.service.js';
import { HttpSkillSettings, HttpSkillTrial, RegisterHttpSkillInput } from './http-skill.model.js';
import { HttpSkills } from './http-skills.service.js';
import { shownSettings } from './http-settings.js';

const skillKey = { description: 'The key of the skill.' };

@Resolver(() => SkillModel)
export class HttpSkillResolver {
  constructor(
    private readonly httpSkills: HttpSkills,
    private readonly companySkills: SkillsService,
  ) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillModel, {
    description: 'Creates or changes a skill that calls an endpoint of the company. Admins only. Audited.',
  })
  async registerHttpSkill(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The endpoint.' }) input: RegisterHttpSkillInput,
  ): Promise<CompanySkill> {
    return this.companySkills.get(viewer, await this.httpSkills.register(viewer, input));
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, { description: 'Deletes an HTTP skill and returns its id. Admins only. Audited.' })
  deleteHttpSkill(@CurrentViewer() viewer: Viewer, @Args('key', skillKey) key: string): Promise<string> {
    return this.httpSkills.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    deprecationReason: 'Use deleteHttpSkill.',
    description: 'The same as deleteHttpSkill.',
  })
  removeHttpSkill(@CurrentViewer() viewer: Viewer, @Args('key', skillKey) key: string): Promise<string> {
    return this.httpSkills.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => HttpSkillTrial, {
    description:
      'Calls an HTTP skill as an assistant would, with all its effects, even if the skill is switched off. Admins only. Audited.',
  })
  tryHttpSkill(
    @CurrentViewer() viewer: Viewer,
    @Args('key', skillKey) key: string,
    @Args('arguments', { type: () => Json, description: 'A JSON object that fits the skill’s inputSchema.' })
    input: JsonValue,
  ): Promise<HttpSkillTrial> {
    return this.httpSkills.try(viewer, key, input);
  }

  @ResolveField(() => HttpSkillSettings, {
    nullable: true,
    description:
      'How it calls its service. Null for other kinds of skills, and unless the viewer is an admin.',
  })
  async http(
    @OperationLoaders() loaders: Loaders,
    @Parent() { id, kind }: CompanySkill,
  ): Promise<HttpSkillSettings | null> {
    if (kind !== 'HTTP' || loaders.viewer.role === 'MEMBER') return null;
    return shownSettings(await loaders.each(this.httpSkills, this.httpSkills.settingsOf, id));
  }
}
