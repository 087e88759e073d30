import { Field, Int, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { Clock } from '../common/clock.js';
import { ReadersLanguage } from '../common/schema/readers-language.js';
import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import type { SkillUse } from '../conversations/turns/skill-call.repository.js';
import { SkillCallResults } from '../conversations/turns/skill-call-results.service.js';
import { nameIn } from './skill-names.js';
import { SkillModel } from './skill.model.js';
import type { CompanySkill } from './skills.service.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** All that a company lists are counted by one statement. */
const MAX_LISTED = 1_000;

@ObjectType('SkillUse', { description: 'How often a skill was called.' })
class SkillUseModel implements SkillUse {
  @Field(() => Int, { description: 'How many calls there were, those that go on included.' })
  calls!: number;

  @Field(() => Int, { description: 'How many of them failed; what people denied did not.' })
  failures!: number;
}

@Resolver(() => SkillModel)
export class SkillUseResolver {
  constructor(
    private readonly calls: SkillCallResults,
    private readonly clock: Clock,
  ) {}

  @ResolveField(() => String, { description: 'What people call it.' })
  name(@Parent() skill: CompanySkill, @ReadersLanguage() language: string): string {
    return skill.named ? nameIn(skill.named, language) : skill.key;
  }

  @ResolveField(() => SkillUseModel, {
    nullable: true,
    description:
      'How often the company has called it within the last seven days, as far as its last 10,000 calls tell; null for instructions, and for everybody but admins.',
  })
  lastWeek(
    @OperationLoaders() loaders: Loaders,
    @Parent() { key, kind }: CompanySkill,
  ): Promise<SkillUse> | null {
    const { viewer } = loaders;
    if (kind === 'INSTRUCTIONS' || viewer.role === 'MEMBER') return null;
    const since = new Date(this.clock.now().getTime() - WEEK_MS);
    const count = (keys: readonly string[]) => this.calls.countSince(viewer, keys, since);
    return loaders.of(SkillUseModel, count, MAX_LISTED).load(key);
  }
}
